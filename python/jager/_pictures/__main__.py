# SPDX-License-Identifier: MIT
"""The process that draws for the program `jager`, which starts this file by its path: no working directory and no
installed package decides what is imported."""
import os
import sys

if __name__ == "__main__":
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from jager._errors import JagerError
    try:
        from jager._pictures.draw import main
        sys.exit(main(sys.argv[1:]))
    except (JagerError, ImportError) as problem:
        sys.exit(" ".join(str(problem).split()))
