"""`python -m lattice_worker`."""

from lattice_worker.app import main

if __name__ == "__main__":
    main()
