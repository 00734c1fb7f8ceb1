# SPDX-License-Identifier: BSD-2-Clause
"""Settings of Sphinx for the site; scripts/site sets the variables."""
import os
import sys

sys.path.insert(0, os.environ['OVK_SITE_PYTHON'])

project = 'ovkrylov'
author = 'The ovkrylov maintainers'
project_copyright = 'ovkrylov contributors'
version = release = os.environ['OVK_SITE_VERSION']
html_title = f'ovkrylov {version}'
html_theme = 'furo'
html_show_sphinx = False
html_last_updated_fmt = None

extensions = ['myst_parser', 'breathe', 'sphinx.ext.autodoc', 'sphinx.ext.napoleon']
default_role = 'code'
myst_heading_anchors = 4
myst_enable_extensions = ['colon_fence']
exclude_patterns = ['_*']

breathe_projects = {'ovkrylov': os.environ['OVK_SITE_XML']}
breathe_default_project = 'ovkrylov'
breathe_domain_by_extension = {'h': 'c', 'in': 'c'}
breathe_show_include = False
c_id_attributes = ['OVK_API']

# The package opens the library when it is imported, which a site does not need.
autodoc_mock_imports = ['ovkrylov._library', 'mpi4py', 'numpy', 'scipy', 'cffi']
autodoc_typehints = 'none'
autodoc_default_options = {'members': True}
