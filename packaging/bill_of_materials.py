#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Software bill of materials, SPDX 2.3 in JSON: the tarball of a release, and the libraries that its binaries load.

Usage: bill_of_materials.py VERSION TIME TARBALL BINARY... A library is named by its Debian package where dpkg knows
it, or else by its file.
"""
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import urllib.parse


def needed(binaries):
    """The sonames that the binaries name themselves, without the project's own libraries."""
    names = set()
    for binary in binaries:
        lines = subprocess.run(['objdump', '-p', binary], check=True, capture_output=True, text=True).stdout
        names.update(re.findall(r'^ *NEEDED +(\S+)', lines, re.MULTILINE))
    return sorted(name for name in names if not name.startswith('libovk'))


def paths(binaries):
    """From sonames to the files that the loader takes."""
    found = {}
    for binary in binaries:
        lines = subprocess.run(['ldd', binary], check=True, capture_output=True, text=True).stdout
        found.update(re.findall(r'^\s*(\S+) => (/\S+)', lines, re.MULTILINE))
    return found


def debian_package(path):
    """Name and version of the Debian package of a file, or None."""
    real = str(pathlib.Path(path).resolve())
    for candidate in (real, real.removeprefix('/usr'), '/usr' + real):
        try:
            owner = subprocess.run(['dpkg-query', '--search', candidate], capture_output=True, text=True)
        except FileNotFoundError:
            return None
        if owner.returncode == 0:
            package = owner.stdout.split(': ')[0].split(',')[0]
            version = subprocess.run(['dpkg-query', '--show', '--showformat=${Version}', package], check=True,
                                     capture_output=True, text=True).stdout
            return package.split(':')[0], version
    return None


def component(name, version, **more):
    """A package of the document."""
    return {'SPDXID': 'SPDXRef-' + re.sub(r'[^A-Za-z0-9.-]', '-', name), 'name': name, 'versionInfo': version,
            'downloadLocation': 'NOASSERTION', 'filesAnalyzed': False, 'licenseConcluded': 'NOASSERTION',
            'copyrightText': 'NOASSERTION', **more}


def document(version, time, tarball, binaries):
    """The document, a dictionary."""
    checksum = hashlib.sha256(pathlib.Path(tarball).read_bytes()).hexdigest()
    name = f'ovkrylov-{version}'
    packages = [component('ovkrylov', version, licenseDeclared='BSD-2-Clause', packageFileName=pathlib.Path(tarball).name,
                          checksums=[{'algorithm': 'SHA256', 'checksumValue': checksum}])]
    files = paths(binaries)
    libraries = {debian_package(files[soname]) or (soname, 'NOASSERTION') for soname in needed(binaries)
                 if soname in files}
    for package, package_version in sorted(libraries):
        reference = f'pkg:deb/debian/{package}@{urllib.parse.quote(package_version)}'
        packages.append(component(package, package_version, licenseDeclared='NOASSERTION', externalRefs=[
            {'referenceCategory': 'PACKAGE-MANAGER', 'referenceType': 'purl', 'referenceLocator': reference}]))
    return {
        'spdxVersion': 'SPDX-2.3', 'dataLicense': 'CC0-1.0', 'SPDXID': 'SPDXRef-DOCUMENT', 'name': name,
        'documentNamespace': f'https://spdx.org/spdxdocs/{name}-{checksum[:32]}',
        'creationInfo': {'created': time, 'creators': ['Tool: ovkrylov-bill-of-materials']},
        'packages': packages,
        'relationships': [{'spdxElementId': 'SPDXRef-DOCUMENT', 'relationshipType': 'DESCRIBES',
                           'relatedSpdxElement': packages[0]['SPDXID']}] +
                         [{'spdxElementId': packages[0]['SPDXID'], 'relationshipType': 'DEPENDS_ON',
                           'relatedSpdxElement': package['SPDXID']} for package in packages[1:]],
    }


if __name__ == '__main__':
    json.dump(document(*sys.argv[1:4], sys.argv[4:]), sys.stdout, indent=2)
    print()
