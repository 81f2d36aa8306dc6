# SPDX-License-Identifier: MIT
"""The file formats of assemblies, for _convert."""
