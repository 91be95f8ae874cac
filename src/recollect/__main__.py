"""`python -m recollect` is the command line."""

from recollect.faces.cli.main import main

if __name__ == "__main__":
    main()
