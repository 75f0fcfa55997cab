#!/usr/bin/env python
import os
import sys

from memoryapp import launch


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    launch.read_env_file()
    if sys.argv[1:2] == ["up"]:
        from memoryapp import up

        sys.exit(up.main(sys.argv[2:]))
    with launch.prepared(sys.argv[1:]):
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
