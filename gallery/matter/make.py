# SPDX-License-Identifier: MIT
"""What a capped spring gets wrong, and by how much: the figures of all other items in one table and one picture."""
import numpy as np

from common import LAWS, axes, kept_figures

TITLE = "Does it matter? Where?"
CLAIM = "Where a capped spring is wrong, by how much, and where it is good enough: one table over all items"
QUICK = True
SOURCES = {"Items": "the figures of the other items, each with its own sources; nothing is computed here."}
USED = {  # item: its figures that are used here
    "contacts": ("oblique_spring", "loop_hertz_mindlin", "lowered_hertz_mindlin", "loss_capped", "circle_missing"),
    "impact": ("off_hertz_mindlin", "fem_jager", "fem_hertz_mindlin", "spin_jager_experiment",
               "spin_hertz_mindlin_experiment", "off_energy"),
    "moduli": ("same_state", "capped_G_100k", "loose_G_100k", "capped_scatter_G_100k"),
    "damping": tuple(f"dense_{law}_{what}_{at}{end}" for law in ("hertz_mindlin", "modified_mindlin")
                     for what, ats in (("D", ("1e6", "1e5", "1e4", "1e3")), ("G", ("1e5", "1e4", "1e3")))
                     for at in ats for end in ("", "_deviation"))
    + tuple(f"loose_hertz_mindlin_{what}_{at}{end}" for what in "DG" for at in ("1e5", "1e4", "1e3")
            for end in ("", "_deviation")),
    "strength": ("law_peak_difference", "law_peak_difference_error", "law_peak_jager", "law_peak_jager_sd",
                 "law_crit_difference", "law_crit_difference_error", "law_crit_jager", "law_crit_jager_sd",
                 "law_E_small_percent", "law_E_small_percent_error", "law_E_small_jager", "law_E_small_jager_sd",
                 "law_q_loose_percent", "law_q_loose_percent_error", "law_q_loose_jager", "law_q_loose_jager_sd"),
    "liquefaction": ("slope_loose_10_jager", "slope_loose_10_hertz_mindlin", "slope_loose_10_t",
                     "densification_300_hertz_mindlin", "densification_300_hertz_mindlin_t", "slope_loose_1000_t",
                     "resistance_loose_difference", "resistance_loose_t", "resistance_loose_jager_scatter",
                     "resistance_dense_difference", "resistance_dense_t", "resistance_dense_jager_scatter",
                     "ratio_loose_200", "third_loose_200", "contact_hertz_mindlin", "null_loose", "laws_loose"),
    "lateral": ("strength_5_jager", "strength_5_hertz_mindlin")}


def collect(figures):
    """The figures of the other items, as ITEM_NAME."""
    for item, names in USED.items():
        kept = kept_figures(item)
        for name in names:
            figures.add(f"{item}_{name}", kept[name].value, kept[name].unit)


def of(figures, name):
    return figures[name].value


def compared(figures, label, name, seeds):
    """A row of `rows` from the mean error of seeds and its standard deviation."""
    return label, of(figures, name), of(figures, f"{name}_deviation") / np.sqrt(seeds)


def rows(figures):
    """Label, error of the capped spring in percent, standard error of that in percent (0: no seeds, one contact)."""
    def per_angle(what):
        return [100 * of(figures, f"strength_law_{what}_difference{end}") / of(figures, f"strength_law_{what}_jager")
                for end in ("", "_error")]

    def resistance(density):
        error = of(figures, f"liquefaction_resistance_{density}_difference")
        return error, abs(error / of(figures, f"liquefaction_resistance_{density}_t"))
    faster = of(figures, "liquefaction_densification_300_hertz_mindlin")
    faster_error = faster * np.log(faster) / of(figures, "liquefaction_densification_300_hertz_mindlin_t")
    names = [(f"{label}, $\\gamma$ = $10^{{-{at}}}$", f"damping_dense_hertz_mindlin_{what}_1e{at}")
             for label, what, ats in (("damping D", "D", (6, 5, 4, 3)), ("G/Gmax", "G", (5, 4, 3))) for at in ats]
    return [
        ("contact: loss in a cycle before sliding", -100 * (1 - of(figures, "contacts_loss_capped")), 0.0),
        ("contact: Ft lost while N cycles", of(figures, "liquefaction_contact_hertz_mindlin"), 0.0),
        ("contact: loop after N was raised", of(figures, "contacts_loop_hertz_mindlin"), 0.0),
        ("contact: force on oblique ways", of(figures, "contacts_oblique_spring"), 0.0),
        ("impact: energy lost, of all energy", of(figures, "impact_off_energy"), 0.0),
        *(compared(figures, label, name, 3) for label, name in names),
        (r"densification a cycle, $\gamma$ = 0.03 %", 100 * (faster - 1), 100 * faster_error),
        ("liquefaction resistance, loose", *resistance("loose")),
        ("liquefaction resistance, dense", *resistance("dense")),
        *((label, *(of(figures, f"strength_law_{what}_percent{end}") for end in ("", "_error")))
          for label, what in (("secant modulus at 0.01 %", "E_small"), ("undrained peak q, loose", "q_loose"))),
        ("peak friction angle", *per_angle("peak")),
        ("critical friction angle", *per_angle("crit"))]


def draw(figures, table):
    figure, ax = axes(1, 4.6)
    figure.set_size_inches(6.6, 4.6)
    places = np.arange(len(table))[::-1]
    errors, doubts = (np.array([abs(row[k]) for row in table]) for k in (1, 2))
    certain = errors > 3 * doubts
    edge = LAWS["hertz-mindlin"][0]
    ax.barh(places[certain], errors[certain], height=0.6, color="#56B4E9", edgecolor=edge, lw=0.6,
            label="error of the capped spring")
    ax.barh(places[~certain], errors[~certain], height=0.6, color="white", edgecolor=edge, lw=0.6, hatch="////",
            label="less than three standard errors")
    ax.plot(doubts[doubts > 0], places[doubts > 0], "D", color="black", ms=3.5, label="standard error, 3 or 4 seeds")
    ax.set(xscale="log", xlim=(0.005, 300), xlabel="percent of the value under jager", yticks=places)
    ax.set_yticklabels([row[0] for row in table], fontsize=7.5)
    ax.set_xticks([0.01, 0.1, 1, 10, 100])
    ax.set_xticklabels(["0.01", "0.1", "1", "10", "100"])
    ax.grid(axis="y", visible=False)
    ax.legend(loc="lower center", bbox_to_anchor=(0.35, 1.0), ncol=3, fontsize=7, columnspacing=1.2)
    figures.picture(figure, "errors")
    figures.add("compared", len(table), "quantities", exact=True)
    figures.add("certain", certain.sum(), "quantities", exact=True)


def make(figures):
    collect(figures)
    table = rows(figures)
    figures.add("capped_G", 100 * (of(figures, "moduli_capped_G_100k") / of(figures, "moduli_loose_G_100k") - 1), "%")
    figures.add("resistance_loose_error", table[13][2], "%")
    figures.add("resistance_dense_error", table[14][2], "%")
    figures.add("drift", of(figures, "liquefaction_slope_loose_10_hertz_mindlin")
                / of(figures, "liquefaction_slope_loose_10_jager"), "")
    draw(figures, table)
