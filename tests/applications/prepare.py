# SPDX-License-Identifier: BSD-2-Clause
"""Steps that fill the folder of an application from the files of its package. A step is a function of the
folder; each is called once, as a folder that is ready is not filled again."""
import pathlib
import shutil
import subprocess

EXAMPLES = pathlib.Path('/usr/share/doc')


class Missing(Exception):
    """What the application needs is not installed."""


class Broken(Exception):
    """A step failed."""


def shell(command, folder):
    """Runs a command line and keeps what it says."""
    done = subprocess.run(command, cwd=folder, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors='replace', check=False)
    with open(folder / 'prepare.log', 'a', encoding='utf-8') as log:
        log.write(f'$ {command}\n{done.stdout}')
    if done.returncode:
        raise Broken(f"'{command}' failed, see {folder}/prepare.log")


def copy(*sources):
    """Files and the contents of folders; Debian compresses some of the files."""
    def step(folder):
        for source in map(pathlib.Path, sources):
            packed = source.with_name(source.name + '.gz')
            if source.is_dir():
                shutil.copytree(source, folder, dirs_exist_ok=True)
            elif source.exists():
                shutil.copy(source, folder)
            elif packed.exists():
                shutil.copy(packed, folder)
                shell(f"gunzip -f '{packed.name}'", folder)
            else:
                raise Missing(f'{source} is not installed')
    return step


def run(*commands):
    def step(folder):
        for command in commands:
            shell(command, folder)
    return step


CMAKE = run('cmake -DCMAKE_BUILD_TYPE=Release .', 'make')
