# SPDX-License-Identifier: MIT
"""One contact: oblique loading beyond paragraph 17, loss per cycle, a raised normal force, circles and ellipses."""
import math

import numpy as np

from common import REFERENCE, SpringRow, axes, line, program_contact

import jager

TITLE = "One contact against closed forms"
CLAIM = ("Forces and losses of one contact agree with Cattaneo, Mindlin and Deresiewicz to rounding; on circles it "
         "dissipates too little")
QUICK = True
SOURCES = {
    "MD": "R. D. Mindlin, H. Deresiewicz, Elastic spheres in contact under varying oblique forces, *J. Appl. Mech.* 20 "
          "(1953) 327–344, [doi:10.1115/1.4010702](https://doi.org/10.1115/1.4010702). Only "
          "§ 17 and the loss per cycle of this paper are compared literally; the other cases are SP.",
    "SP": "superposed Cattaneo–Mindlin functions, written down in [make.py](../../gallery/contacts/make.py) "
          "(`superposed`) with Hertz's ζ(Fn) alone.",
    "Row": "an oracle without code of the library: a row of springs in numpy, each clamped to its friction limit "
           "(`SpringRow` in [common.py](../../gallery/common.py)).",
    "GB": "L. E. Goodman, C. B. Brown, Energy dissipation in contact friction: constant normal and cyclic tangential "
          "loading, *J. Appl. Mech.* 29 (1962) 17–22. Its abstract reports good agreement of measured losses and loops "
          "with MD for steel, for 0.45 < δ\\*/δmax < 1. Its points were not available.",
    "L2196": "[lammps#2196](https://github.com/lammps/lammps/pull/2196): the tangential force must not change when "
             "only the normal force rises.",
    "JT": "*J. Tribology* 143 (2021) 061501, an in-situ investigation of load-dependent stiffness and damping of "
          "spherical contacts of polymers: its abstract says that reported stiffness and damping before "
          "sliding deviate from the theory of smooth elastic contacts, and finds material damping. Only the abstract "
          "was available; no number is taken from it.",
    "IS": "independent springs (method of dimensionality reduction): each spring of the row slides against its own "
          "shear; closed forms in [make.py](../../gallery/contacts/make.py).",
    "HS": "the elastic half-space with Coulomb's friction at every point: our boundary-element solutions, for "
          "ν = 0 in the limit of fine rings; for ν > 0 and across a preload with square cells and Cerruti's influence "
          "functions. The solvers are not part of this repository."}
HALF_SPACE = {0.0: 0.0728, 0.5: 0.1186, 1.0: 0.303}  # loss over the width of the ellipse [HS]
LAW = jager.Law(29e9, 0.15, 0.5)
RADIUS, ZETA, F = 1e-3, 1e-7, LAW.friction
FN = jager.Contact(LAW, RADIUS, RADIUS).move(ZETA).fn
UNIT = LAW.kappa * F * ZETA  # of xi, m
ENERGY = 2 * LAW.kappa * F * F * FN * ZETA  # of losses, J
PROGRAM = ("--shear-modulus", "29e9", "--poisson", "0.15", "--radius", "1e-3", "--friction", "0.5")


def contact(model="jager"):
    law = LAW if model != "linear" else LAW.replace(model=model, kn=FN / (2 * ZETA))
    return jager.Contact(law if model == "linear" else law.replace(model=model), RADIUS, RADIUS)


# ---- Oblique loading, in units of FN, f FN, ZETA and UNIT -----------------------------------------------------------

PATHS = {  # from Fn = 1, Ft = 0.5: changes of Fn and Ft, and what happens
    "N up, T up fast": (0.5, 0.9), "N up, T up slowly": (0.5, 0.25), "N up, T down slowly": (0.5, -0.25),
    "N up, T down fast": (0.5, -1.0), "N down, T up": (-0.25, 0.2), "N down, T down slowly": (-0.4, -0.1),
    "N down, T down fast": (-0.4, -0.9)}
START = 0.5
LABEL_UP = {"N up, T up slowly": 0.1, "N down, T up": -0.04, "N down, T down slowly": 0.02,
            "N up, T down slowly": -0.02, "N down, T down fast": 0.04, "N up, T down fast": -0.05}


def superposed(n, t):
    """xi of (n, t) on a straight way from (1, START), which was reached at constant n."""
    def zeta(force):
        return np.cbrt(force)**2
    core, dn, dt = 1 - START, n - 1, t - START
    with np.errstate(invalid="ignore"):
        forward = zeta(n) - zeta(n - t)  # the annulus slips on
        turn = (t + core + n) / 2  # of a second annulus, which slips back
        backward = 2 * zeta(turn) - zeta(core) - zeta(n)
        deep = zeta(n + t) - zeta(n)  # ... and has undone the first one: turn < core
        slope = np.divide(dt, dn, out=np.full_like(dt, np.inf), where=dn != 0)
        elastic = zeta(1.0) - zeta(core) + slope * (zeta(n) - zeta(1.0))
    back = np.where(turn < core, deep, backward)
    return np.where((dn > 0) & (np.abs(dt) <= dn), elastic, np.where(dt > dn, forward, back))


def oblique(figures):
    figure, (left, right) = axes(height=3.4)
    shades = ("#000000", "#0072B2", "#009E73", "#D55E00", "#CC79A7", "#E69F00", "#56B4E9")
    part = np.linspace(0, 1, 41)
    worst, worst_xi, worst_row, worst_spring = 0.0, 0.0, 0.0, 0.0
    for (name, (dn, dt)), shade in zip(PATHS.items(), shades):
        n, t = 1 + dn * part, START + dt * part
        xi = superposed(n, t)
        assert (np.abs(t) <= n).all()
        one, spring = contact(), contact("hertz-mindlin")
        for each in (one, spring):
            each.move(ZETA, (0.0, 0.0))
            each.walk(ZETA, np.linspace(0, xi[0], 20) * UNIT)
        zeta = np.cbrt(n)**2 * ZETA
        ft = one.walk(zeta, xi * UNIT).ft[:, 0] / (F * FN)
        capped = spring.walk(zeta, xi * UNIT).ft[:, 0] / (F * FN)
        big = contact()  # the same forces, prescribed, in one step of each kind
        big.load(FN)
        big.load(FN, (START * F * FN, 0.0))
        big.load(n[-1] * FN, (t[-1] * F * FN, 0.0))
        row = SpringRow(20000)
        scale = n.max()**(2 / 3)
        for z, dx in zip(np.append([1.0, 1.0], zeta / ZETA), np.append([0.0, xi[0], 0.0], np.diff(xi))):
            force = row.move(z / scale, dx / scale)[0] * n.max()
        worst = max(worst, np.abs(ft - t).max())
        worst_xi = max(worst_xi, abs(big.xi[0] / UNIT - xi[-1]))
        worst_row = max(worst_row, abs(force - t[-1]))
        worst_spring = max(worst_spring, np.abs(capped - t).max())
        left.annotate("", (n[-1], t[-1]), (1, START), arrowprops={"arrowstyle": "->", "color": shade, "lw": 1.5})
        right.plot(part, ft, color=shade)
        right.plot(part[::8], t[::8], "o", color=shade, mfc="none")
        right.plot(part, capped, color=shade, ls="--", lw=1.0)
        right.text(1.02, t[-1] + LABEL_UP.get(name, 0.0), name, fontsize=6.5,
                   va="center", color=shade)
    left.plot([0, 1.6], [0, 1.6], "k:", lw=0.8)
    left.plot([0, 1.6], [0, -1.6], "k:", lw=0.8)
    left.annotate("", (1, START), (1, 0), arrowprops={"arrowstyle": "->", "color": "#888888"})
    left.annotate("", (1, 0), (0, 0), arrowprops={"arrowstyle": "->", "color": "#888888"})
    left.text(1.36, 1.44, "sliding", rotation=35, fontsize=7.5)
    left.set(xlim=(0, 1.6), ylim=(-0.7, 1.6), xlabel=r"normal force $N/N_0$", ylabel=r"tangential force $T/(fN_0)$")
    right.plot([], [], "k-", label="jager")
    right.plot([], [], "ko", mfc="none", label="superposed closed forms (SP)")
    right.plot([], [], "k--", lw=1.0, label="hertz-mindlin (capped spring)")
    right.set(xlabel="part of the way", ylabel=r"$T/(fN_0)$ at the shift of SP", xlim=(0, 1.55), ylim=(-0.7, 2.2))
    right.set_xticks([0, 0.5, 1])
    right.legend(loc="upper left")
    figures.add("oblique_force", worst, "f N0", 0.0, "SP", floor=1e-12)
    figures.add("oblique_load", worst_xi, "kappa f zeta0", 0.0, "SP", floor=1e-12)
    figures.add("oblique_row", worst_row, "f N0", 0.0, "Row", floor=1e-9)
    figures.add("oblique_spring", 100 * worst_spring, "% of f N0", 0.0, "SP")
    figures.picture(figure, "oblique")
    paragraph_17(figures)


def paragraph_17(figures):
    worst, peak, ratio = 0.0, 2.0, 1.4 * F
    for unloading in (False, True):
        fn = np.linspace(1.0, peak, 9) * FN if not unloading else np.linspace(peak, 1.1, 9) * FN
        ft, xi = jager.mindlin.oblique(LAW, RADIUS, FN, peak * FN, ratio, fn, unloading=unloading)
        for n, t, x in zip(fn, ft, xi):
            one = contact()
            one.load(FN)
            if unloading:
                one.load(peak * FN, (ratio * (peak - 1) * FN, 0.0))
            one.load(n, (t, 0.0))
            worst = max(worst, abs(one.xi[0] - x) / UNIT)
    figures.add("paragraph_17", worst, "kappa f zeta0", 0.0, "MD", floor=1e-12)


# ---- The loss in a cycle --------------------------------------------------------------------------------------------

def loss_of(model, amplitude):
    """Energy dissipated in the cycle after first loading to `amplitude` of xi, J, and the largest Ft."""
    each = contact(model)
    each.move(ZETA)
    leg = np.linspace(-1, 1, 401)
    xi = np.concatenate([np.linspace(0, 1, 201), -leg[1:], leg[1:]]) * amplitude
    path = each.walk(ZETA, xi, energy=True)
    return path.dissipated[-1] - path.dissipated[200], path.ft[200, 0]


def cycle(figures):
    x = np.concatenate([np.geomspace(0.01, 0.5, 14), np.linspace(0.55, 1.0, 10)])
    closed = jager.mindlin.cycle_loss(LAW, RADIUS, FN, x * F * FN) / ENERGY
    own = (8 / 10) * (1 - np.cbrt(1 - x))**3 * (1 + 3 * np.cbrt(1 - x) + np.cbrt(1 - x)**2)  # MD, written down anew
    xi = (1 - np.cbrt(1 - x)**2) * UNIT
    exact = np.array([loss_of("jager", amplitude)[0] for amplitude in xi]) / ENERGY
    figures.add("loss", np.abs(exact / own - 1).max(), "", 0.0, "MD", floor=1e-11)
    figures.add("loss_library", np.abs(closed / own - 1).max(), "", 0.0, "MD", floor=1e-11)
    stuck = [loss_of("hertz-mindlin", amplitude)[0] for amplitude in xi if amplitude < 0.66 * UNIT]
    figures.add("loss_capped", np.abs(stuck).max() / ENERGY, "", source="MD", floor=1e-12)
    small = x <= 0.1
    figures.add("exponent", np.polyfit(np.log(x[small]), np.log(exact[small]), 1)[0], "", 3.0, "MD")
    figures.add("exponent_smallest", math.log(exact[1] / exact[0]) / math.log(x[1] / x[0]), "", 3.0, "MD")
    tested = (xi / UNIT > 0.45) & (x < 1)
    figures.add("exponent_tested", np.polyfit(np.log(x[tested]), np.log(exact[tested]), 1)[0], "")
    figure, (left, right) = axes()
    fine = np.geomspace(0.01, 1, 200)
    q = np.cbrt(1 - fine)
    theory = 0.8 * (1 - q)**3 * (1 + 3 * q + q * q)
    left.loglog(fine, theory, color="k", label="Mindlin and Deresiewicz (MD)")
    left.loglog(x, exact, "o", color=REFERENCE, mfc="none", label="jager, 400 steps a leg")
    left.loglog(fine, 4 / 27 * fine**3, color="#888888", ls="--", lw=1, label=r"$(4/27)\,(T^*/fN)^3$")
    right.plot(fine, np.gradient(np.log(theory), np.log(fine)), color="k", label="MD")
    middle = np.sqrt(x[1:] * x[:-1])
    right.plot(middle, np.diff(np.log(exact)) / np.diff(np.log(x)), "o", color=REFERENCE, mfc="none", label="jager")
    right.axhline(3, color="#888888", ls="--", lw=1, label="cube of the amplitude")
    for ax in (left, right):
        ax.axvspan(1 - 0.55**1.5, 1, color="#dddddd", alpha=0.6, lw=0, label="measured range of GB")
        ax.set(xlabel=r"amplitude $T^*/(fN)$", xscale="log", xlim=(0.01, 1))
    left.set(ylabel=r"loss per cycle$\ /\ (2\kappa f^2N\zeta)$")
    right.set(ylabel="exponent of the loss", ylim=(2.8, 5.2))
    left.legend(loc="upper left")
    right.legend(loc="upper left")
    figures.picture(figure, "loss")


# ---- The normal force changes at constant shift ---------------------------------------------------------------------

def raised(figures):
    """Shear to Ft = 0.6 f FN, raise Fn to 2 FN at constant shift, lower it to FN/4: then on, and back."""
    shift = (1 - 0.4**(2 / 3))
    up, down = np.linspace(1, 2, 101), np.linspace(2, 0.25, 176)
    n = np.concatenate([up, down[1:]])
    zeta = np.cbrt(n)**2
    figure, (left, right) = axes(height=3.3)
    forces, loops = {}, {}
    later = np.concatenate([np.linspace(shift, 1.6, 80), np.linspace(1.6, -0.6, 160)[1:]])
    for model in ("jager", "hertz-mindlin", "zhang-vuquoc", "modified-mindlin"):
        one, two = contact(model), contact(model)
        for each in (one, two):
            each.move(ZETA)
            each.walk(ZETA, np.linspace(0, shift, 500)[1:] * UNIT)
        forces[model] = one.walk(zeta * ZETA, one.xi[0] + 0 * zeta).ft[:, 0] / (F * FN)
        two.walk(np.cbrt(up)**2 * ZETA, two.xi[0] + 0 * up)
        loops[model] = two.walk(2**(2 / 3) * ZETA, later * UNIT).ft[:, 0] / (F * FN)
        for ax, x, y in ((left, n, forces[model]), (right, later, loops[model])):
            if model != "modified-mindlin":
                ax.plot(x, y, **line(model, lw=2.2 if model == "jager" else 1.3))
        name = model.replace("-", "_")
        figures.add(f"raised_{name}", 100 * (forces[model][100] / forces[model][0] - 1), "%", 0.0, "L2196", floor=1e-9)
        if model != "jager":
            figures.add(f"lowered_{name}", 100 * np.abs(forces[model] - forces["jager"]).max() / 0.6, "%", 0.0, "Row")
            figures.add(f"loop_{name}", 100 * np.abs(loops[model] - loops["jager"]).max()
                        / np.abs(loops["jager"]).max(), "%", 0.0, "Row")
    figures.add("incremental_laws", np.abs(forces["zhang-vuquoc"] - forces["modified-mindlin"]).max()
                + np.abs(loops["zhang-vuquoc"] - loops["modified-mindlin"]).max(), "f N0", exact=True)
    history = forces["hertz-mindlin"][0] * np.cbrt(up)  # a spring whose stiffness grows with a, and its shift stays
    left.plot(up, history, color="#999999", ls="--", lw=1, label=r"spring $k_t(a)\,\xi$ (L2196)")
    figures.add("raised_shift_history", 100 * (history[-1] / history[0] - 1), "%", 0.0, "L2196")
    row = SpringRow(20000)
    scale = 2**(2 / 3)
    clamped = [row.move(z / scale, dx / scale)[0] * 2 for z, dx in zip(np.append([1.0, 1.0], zeta),
                                                                       np.append([0.0, shift], 0 * zeta))][2:]
    left.plot(n[::25], clamped[::25], "o", color=REFERENCE, mfc="none", label="row of springs (oracle)")
    figures.add("raised_row", np.abs(np.array(clamped) - forces["jager"]).max(), "f N0", 0.0, "Row", floor=1e-9)
    left.plot([0, 2], [0, 2], "k:", lw=0.8)
    left.text(1.32, 1.12, "sliding", rotation=0, fontsize=7)
    left.annotate("", (1.75, 0.66), (1.4, 0.66), arrowprops={"arrowstyle": "->", "color": "#555555", "lw": 0.8})
    left.annotate("", (1.4, 0.52), (1.75, 0.52), arrowprops={"arrowstyle": "->", "color": "#555555", "lw": 0.8})
    left.set(xlabel=r"normal force $N/N_0$, up, then down", ylabel=r"$T/(fN_0)$ at constant shift", xlim=(0.2, 2.05),
             ylim=(0, 1.75))
    right.set(xlabel=r"half-shift $\xi/(\kappa f\zeta_0)$ at $N = 2N_0$", ylabel=r"$T/(fN_0)$")
    left.legend(loc="upper left", fontsize=6.5)
    right.legend(loc="upper left", fontsize=6.5)
    figures.picture(figure, "raised")


# ---- Circles and ellipses -------------------------------------------------------------------------------------------

def ellipse(width, half_axis=0.5, cycles=3, steps=400):
    """Positions on cycles round an ellipse, and the index at which the last one begins."""
    ramp = np.linspace(0, half_axis, 50)
    angle = 2 * math.pi * np.arange(1, cycles * steps + 1) / steps
    xi = np.concatenate([[[0.0, 0.0]], np.stack([ramp, 0 * ramp], axis=1),
                         half_axis * np.stack([np.cos(angle), width * np.sin(angle)], axis=1)])
    return xi, len(xi) - 1 - steps


def circle(figures):
    widths = np.linspace(0, 1, 9)
    figure, (left, right) = axes(height=3.3)
    lost = {"jager": [], "springs": [], "hertz-mindlin": []}
    for width in widths:
        xi, last = ellipse(width)
        out = program_contact(np.full(len(xi), ZETA), xi * UNIT, "--model", ",".join(lost), *PROGRAM)
        for law, values in out.items():
            lost[law].append((values["dissipated"][-1] - values["dissipated"][last]) / ENERGY)
        if width in (0.0, 0.25, 0.5, 0.75, 1.0):
            name = f"{100 * width:.0f}"
            for law in ("jager", "springs"):
                expected = HALF_SPACE.get(width) if law == "jager" else None
                figures.add(f"ellipse_{name}_{law}", lost[law][-1], "2 kappa f^2 Fn zeta", expected,
                            "HS" if expected else "")
            force = out["springs"]
            figures.add(f"ellipse_{name}_lead", math.degrees(math.atan2(force["ft2"][-1], force["ft1"][-1])), "degrees",
                        source="IS", floor=1e-9)
        if width == 1.0:
            for law, values in out.items():
                left.plot(values["ft1"][last:] / (F * FN), values["ft2"][last:] / (F * FN), **line(law))
                left.plot(values["ft1"][-1] / (F * FN), values["ft2"][-1] / (F * FN), "o", color=line(law)["color"])
                figures.add(f"circle_force_{law.replace('-', '_')}",
                            math.hypot(values["ft1"][-1], values["ft2"][-1]) / (F * FN), "f Fn")
    # A spring with the limit L = 1 - v² below the radius r is dragged round a circle of radius (r² - L²)^(1/2).
    r, v = 0.5, np.sqrt(0.5) + (1 - np.sqrt(0.5)) * (np.arange(200000) + 0.5) / 200000
    limit = 1 - v * v
    closed = 1.5 * np.mean(2 * math.pi * limit * np.sqrt(np.maximum(r * r - limit * limit, 0))) * (1 - np.sqrt(0.5))
    figures.add("circle_springs", lost["springs"][-1], "2 kappa f^2 Fn zeta", closed, "IS")
    figures.add("circle_jager", lost["jager"][-1], "2 kappa f^2 Fn zeta", HALF_SPACE[1.0], "HS", floor=1e-9)
    for law in ("jager", "springs"):
        figures.add(f"circle_{law}_missing", 100 * (1 - lost[law][-1] / HALF_SPACE[1.0]), "%")
        figures.add(f"half_{law}_missing", 100 * (1 - lost[law][4] / HALF_SPACE[0.5]), "%")
    x = 1 - 0.5**1.5
    line_loss = 0.8 * (1 - np.cbrt(1 - x))**3 * (1 + 3 * np.cbrt(1 - x) + np.cbrt(1 - x)**2)
    figures.add("line_springs", lost["springs"][0], "2 kappa f^2 Fn zeta", line_loss, "MD")
    figures.add("line_jager", lost["jager"][0], "2 kappa f^2 Fn zeta", line_loss, "MD")
    for law, values in lost.items():
        right.plot(widths, values, marker="o", ms=3, **line(law))
    right.plot(1, closed, "s", color=REFERENCE, mfc="none", ms=8, label="springs, closed form (IS)")
    right.plot(list(HALF_SPACE), list(HALF_SPACE.values()), "x", color="k", ms=7, label="half-space (HS)")
    right.plot(0, line_loss, "D", color="k", mfc="none", ms=8, label="line, closed form (MD)")
    left.set(aspect="equal", xlabel=r"$F_{t1}/(fF_n)$", ylabel=r"$F_{t2}/(fF_n)$", xlim=(-1.0, 1.0), ylim=(-1.0, 1.0))
    left.text(0, 0, "lines as in (b)\ndots: the force when the\nshift is along axis 1", ha="center", va="center",
              fontsize=7)
    right.set(xlabel="width over length of the ellipse", ylabel=r"loss per cycle$\ /\ (2\kappa f^2F_n\zeta)$",
              ylim=(-0.01, 0.36))
    right.legend(loc="upper left")
    figures.picture(figure, "circle")


def across(figures):
    """The stiffness for a tiny movement across a preload, over that of full stick."""
    loads = np.linspace(0.02, 0.98, 25)
    tiny, found = 1e-6, {"jager": [], "springs": []}
    for load in loads:
        xi = (1 - (1 - load)**(2 / 3)) * np.array([0.0, 1.0, 1.0])
        moves = np.stack([xi, [0, 0, tiny]], axis=1) * UNIT
        out = program_contact(np.full(3, ZETA), moves, "--model", "jager,springs", *PROGRAM, "--springs", "4000")
        stick = 1.5 * FN / ZETA / LAW.kappa
        for law in found:
            found[law].append(out[law]["ft2"][-1] / (tiny * UNIT) / stick)
    secant = loads / (1.5 * (1 - (1 - loads)**(2 / 3)))
    figures.add("across_jager", np.abs(np.array(found["jager"]) - secant).max(), "", 0.0, "SP", floor=1e-6)
    at = int(np.argmin(np.abs(loads - 0.6)))
    figures.add("across_at", loads[at], "f Fn")
    figures.add("across_jager_60", found["jager"][at], "", 1.0, "IS")
    figures.add("across_springs_60", found["springs"][at], "", 1.0, "IS", floor=1e-6)
    figures.add("across_jager_98", found["jager"][-1], "", 1.0, "IS")
    figure, ax = axes(1, 2.8)
    ax.plot(loads, found["jager"], **line("jager"))
    ax.plot(loads, found["springs"], **line("springs"))
    ax.plot(loads[::4], secant[::4], "o", color=REFERENCE, mfc="none",
            label=r"secant $(F_n-F_n^*)/(\zeta-\zeta^*)$ (SP)")
    along = np.cbrt(1 - loads)
    ax.plot(loads, along, color="#888888", lw=1, label="along the preload, both laws (MD)")
    ax.set(xlabel=r"preload $T/(fF_n)$", ylabel="tangent over full-stick stiffness", ylim=(0, 1.1))
    ax.legend(loc="lower left")
    figures.picture(figure, "across")


def make(figures):
    oblique(figures)
    cycle(figures)
    raised(figures)
    circle(figures)
    across(figures)
