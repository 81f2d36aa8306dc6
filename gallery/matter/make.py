# SPDX-License-Identifier: MIT
"""What a capped spring gets wrong, and by how much: the figures of all other items in one table and one picture."""
import numpy as np

from common import LAWS, axes, kept_figures

TITLE = "Does it matter? Where?"
CLAIM = "Where a capped spring is wrong, by how much, and where it is good enough: one table over all items"
QUICK = True
SOURCES = {"Items": "the numbers of the other items, each with its own sources; this item computes only their means, "
                    "standard errors and ratios."}
USED = {  # item: its figures that are used here
    "contacts": ("oblique_spring", "loop_hertz_mindlin", "loss_capped", "circle_jager_missing"),
    "impact": ("fem_jager", "fem_jager_nu40", "fem_hertz_mindlin", "spin_jager_experiment",
               "spin_hertz_mindlin_experiment", "off_energy", "created_modified_mindlin_of_all"),
    "moduli": ("capped_G_100k", "loose_G_100k", "capped_scatter_G_100k"),
    "damping": tuple(f"{density}_{law}_{what}_{at}{end}" for density in ("dense", "loose")
                     for law in ("hertz_mindlin", "modified_mindlin")
                     for what, ats in (("D", ("1e6", "1e5", "1e4", "1e3")), ("G", ("1e5", "1e4", "1e3")))
                     for at in ats for end in ("", "_deviation")),
    "strength": tuple(f"law_{name}_{end}" for name in ("peak", "crit", "e", "E_small", "q_loose")
                      for end in ("difference", "uncertainty", "jager")),
    "liquefaction": ("slope_loose_10_jager", "slope_loose_10_jager_scatter", "slope_loose_10_hertz_mindlin",
                     "slope_loose_10_t", "slope_dense_10_hertz_mindlin", "slope_dense_10_t",
                     "densification_300_hertz_mindlin", "densification_300_hertz_mindlin_t", "slope_loose_1000_t",
                     "slope_loose_1000_jager", "slope_loose_1000_difference", "ratio_loose", "ratio_loose_t",
                     "ratio_loose_180", "ratio_loose_250", "resistance_loose_difference", "resistance_loose_t",
                     "resistance_loose_jager_scatter", "resistance_dense_difference", "resistance_dense_t",
                     "third_loose_200", "contact_hertz_mindlin", "contact_jager_first"),
    "lateral": ("strength_5_jager", "strength_5_hertz_mindlin")}
STUDENT = {3: 4.303, 4: 3.182}  # two-sided test, 95 %, by the number of seeds


def collect(figures):
    """The figures of the other items, as ITEM_NAME."""
    for item, names in USED.items():
        kept = kept_figures(item)
        for name in names:
            figures.add(f"{item}_{name}", kept[name].value, kept[name].unit)


def of(figures, name):
    return figures[name].value


def single(figures):
    """Label and error of one contact or impact, in percent of what the label says."""
    return [("loss in a cycle before sliding\n(% of it)", -100 * (1 - of(figures, "contacts_loss_capped"))),
            ("Ft, while N falls and rises ten times†\n(% of Ft)", -of(figures, "liquefaction_contact_hertz_mindlin")),
            ("loop after a reversal from sliding\n(% of f N)", of(figures, "contacts_loop_hertz_mindlin")),
            ("force on oblique ways\n(% of f N)", of(figures, "contacts_oblique_spring")),
            ("energy lost in an impact\n(% of all energy)", of(figures, "impact_off_energy"))]


def damping_row(figures, density, what, at):
    name = f"{density}_hertz_mindlin_{what}_1e{at}"
    label = {"D": "damping D", "G": "G/Gmax"}[what]
    error = of(figures, f"damping_{name}_deviation") / np.sqrt(3)
    figures.add(f"{name}_error", error, "%")
    return f"{label}, {density}, γ = $10^{{-{at}}}$", of(figures, f"damping_{name}"), error, 3


def strength_row(figures, label, name):
    error, doubt = (100 * of(figures, f"strength_law_{name}_{end}") / of(figures, f"strength_law_{name}_jager")
                    for end in ("difference", "uncertainty"))
    figures.add(f"{name}_percent", error, "%")
    figures.add(f"{name}_error", doubt, "%")
    return label, error, doubt, 3


def liquefaction_row(figures, label, name, error, t):
    figures.add(f"{name}_percent", error, "%")
    figures.add(f"{name}_error", abs(error / t), "%")
    return label, error, abs(error / t), 4


def assemblies(figures):
    """Label, error of the capped spring in percent, its standard error, number of seeds."""
    def figure(name):
        return of(figures, f"liquefaction_{name}")
    more = 100 * figure("slope_loose_1000_difference") / figure("slope_loose_1000_jager")
    return [
        *(damping_row(figures, density, "D", at) for density in ("dense", "loose") for at in (6, 5, 4, 3)
          if (density, at) != ("loose", 6)),
        *(damping_row(figures, density, "G", at) for density in ("dense", "loose") for at in (5, 4, 3)),
        liquefaction_row(figures, "densification a cycle, loose, γ = 0.03 %", "densification_300",
                         100 * (figure("densification_300_hertz_mindlin") - 1),
                         figure("densification_300_hertz_mindlin_t")),
        liquefaction_row(figures, "densification a cycle, loose, γ = 0.1 %", "densification_1000", more,
                         figure("slope_loose_1000_t")),
        *(liquefaction_row(figures, f"liquefaction resistance, {density}", f"resistance_{density}",
                           figure(f"resistance_{density}_difference"), figure(f"resistance_{density}_t"))
          for density in ("loose", "dense")),
        strength_row(figures, "secant modulus, dense, at 0.01 %", "E_small"),
        strength_row(figures, "undrained peak q, loose", "q_loose"),
        strength_row(figures, "peak friction angle, dense", "peak"),
        strength_row(figures, "critical friction angle, dense", "crit"),
        strength_row(figures, "critical void ratio, dense", "e")]


def draw(figures, ones, table):
    figure, (left, right) = axes(2, 5.2, gridspec_kw={"width_ratios": [1, 2.1]})
    figure.set_size_inches(8.4, 5.2)
    places = np.arange(len(ones))[::-1]
    left.barh(places, [abs(row[1]) for row in ones], height=0.5, color="#56B4E9", edgecolor=LAWS["hertz-mindlin"][0])
    left.set(yticks=places, xlim=(0, 100), xlabel="largest error (%)")
    left.set_yticklabels([row[0] for row in ones], fontsize=6.5)
    places = np.arange(len(table))[::-1]
    errors, doubts = (np.array([row[k] for row in table]) for k in (1, 2))
    limits = np.array([STUDENT[row[3]] for row in table])
    certain = np.abs(errors) > limits * doubts
    blue = LAWS["hertz-mindlin"][0]
    for chosen, fill, label in ((certain, blue, "significant"), (~certain, "white", "not significant")):
        right.errorbar(errors[chosen], places[chosen], xerr=(limits * doubts)[chosen], fmt="o", mfc=fill, capsize=2,
                       color=blue, elinewidth=0.9, label=label)
    right.axvline(0, color="black", lw=0.8)
    right.set_xscale("symlog", linthresh=1, linscale=0.7)
    ticks = [-100, -10, -1, 0, 1, 10, 100]
    right.set_xticks(ticks)
    right.set_xticklabels([f"{tick}".replace("-", "−") for tick in ticks])
    right.set(yticks=places, xlim=(-150, 150), xlabel="error of the capped spring (%), 95 % range")
    right.set_yticklabels([row[0] for row in table], fontsize=6.5)
    right.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncol=2, fontsize=7)
    figures.picture(figure, "errors")
    figures.add("compared", len(table), "quantities", exact=True)
    figures.add("certain", certain.sum(), "quantities", exact=True)


def make(figures):
    collect(figures)
    figures.add("capped_G", 100 * (of(figures, "moduli_capped_G_100k") / of(figures, "moduli_loose_G_100k") - 1), "%")
    figures.add("drift_error", of(figures, "liquefaction_slope_loose_10_jager_scatter") / 2, "1e-9 per cycle")
    draw(figures, single(figures), assemblies(figures))
