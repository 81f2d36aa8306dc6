# SPDX-License-Identifier: MIT
"""All pictures of jager, drawn with matplotlib. None of these modules needs the compiled extension.

    draw          the pictures of a run, from its files; the command `draw`; what the program starts as a child
    series        stress-strain, volumetric-strain, history-length, energy
    cycles        cycles
    ready_tests   reduction, resistance
    assembly      grading, grains-STAGE, rose-STAGE
    contact       `jager contact --plot`: one law, or several
    impact        `jager impact --plot`
    moduli        `jager moduli --plot`
    plot          `jager.plot`: any runs in one picture
    one_contact   `Path.plot`, `Contact.plot_cone` and `Contact.plot_tractions`
    loading       which stages of a run are shown, and what they strain
    quantities    values, names and units of what is drawn of a run
    style         figures, axes, legends, files
"""
