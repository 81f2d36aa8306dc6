/* SPDX-License-Identifier: MIT */
/* Lines that make the small case of test_case.c wrong, and the messages about them. */
#ifndef JAGER_TESTS_CASE_MISTAKES_H
#define JAGER_TESTS_CASE_MISTAKES_H

/* Lines of the small case. */
enum { JAGER = 1, MATERIAL, ASSEMBLY, STAGES, NAME, CONTROL, UNTIL, END };

#define SHAPES(text)                                                                                                   \
  "assembly: {packing: {grains: 8, pressure: 1, sizes: {uniform: {min: 1, max: 1}}, shapes: " text "}}"

static const struct {
  int line;
  const char *text;    /* instead of that line */
  const char *message; /* behind the name of the file */
} mistakes[] = {

    /* Form */
    {JAGER, "jager: 2", "1:8: this program reads version 1 of the format, not '2'"},
    {JAGER, "jager:", "1:1: 'jager' has no value"},
    {JAGER, "jager: [1]", "1:8: 'jager' must be a single value, not a list"},
    {JAGER, "", "1:1: 'jager' is missing: write it like 'jager: 1'"},
    {END, "jager: 1", "8:1: 'jager' is given twice, first in line 1"},
    {END, "title: &a x", "8:8: anchors (&name) are not allowed: write each value out where it is needed"},
    {END, "title: *a", "8:8: aliases (*name) are not allowed: write the value out"},
    {END, "title: !!str x", "8:8: tags (!name) are not allowed: the key determines the type of its value"},
    {END, "---\njager: 1", "8:1: a case is one document: nothing may follow '---' or '...'"},
    {JAGER, "%YAML 1.2\n---\njager: 1", "2:1: directives (%YAML, %TAG) are not allowed"},
    {END, "<<: {seed: 1}", "8:1: unknown key '<<': maps cannot be merged: write the values out"},
    {END, "title: |\n  x", "8:8: block texts (| and >) are not allowed: write the value in one line"},
    {END, "title: \"a\\nb\"", "8:8: a value must be one line without control characters"},
    {END, "title: \"a\\0b\"", "8:8: a value must be one line without control characters"},
    {END, "title: 'a''''b'", "8:8: there are too many quotation marks in a row: put the text between \" and \""},
    {END, "? [a]\n: b", "8:3: a key must be a word"},
    {END, "seed: 1\n  skin: 2",
     "8:7: this is not YAML: invalid multiline plain key: is a ':' missing, or the next line indented too far?"},
    {END, "title: a: b",
     "8:9: this is not YAML: invalid nested block mapping on the same line: a text with ': ' needs quotation marks; a "
     "block "
     "begins in a line of its own"},
    {END, "damping:\n\tlocal: 0", "9:1: this is not YAML: tab character may not be used as indentation: use spaces"},
    {END, "gravity: [0, 0", "9:1: this is not YAML: flow sequence without a closing bracket"},
    {END, "title: [[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]", "8:23: blocks are nested too deeply for a case"},

    /* Keys */
    {END, "sedd: 1",
     "8:1: unknown key 'sedd': did you mean 'seed'? one of: jager, title, seed, material, contact, damping, time_step, "
     "density_scaling, gravity, overlap_limit, skin, assembly, output, checkpoint, stages, trace"},
    {END, "damping: {local:0.3}", "8:11: unknown key 'local:0.3' in 'damping': a space must follow ':'"},
    {END, "damping: {quality: 3}",
     "8:11: unknown key 'quality' in 'damping': it must be one of: viscous, local, global"},
    {END, "damping: 3", "8:10: 'damping' must be a block with keys, such as 'viscous'"},
    {END, "damping:", "8:1: 'damping' must be a block with keys, such as 'viscous'"},
    {END, "damping: [3]", "8:10: 'damping' must be a block with keys, such as 'viscous'"},

    /* Keys for features that do not exist: the messages name a way out */
    {END, "walls: {z: 0}",
     "8:1: unknown key 'walls': the cell is periodic and has no walls; for walls take LAMMPS with 'fix "
     "wall/gran/jager' "
     "(docs/lammps.md)"},
    {END, "boundary: periodic",
     "8:1: unknown key 'boundary': the cell is periodic and has no walls; for walls take LAMMPS with 'fix "
     "wall/gran/jager' (docs/lammps.md)"},
    {ASSEMBLY, "assembly: {lattice: {kind: sc, cells: [4, 4, 4], radius: 1 mm}, clump: dimer}",
     "3:65: unknown key 'clump' in 'assembly': grains are spheres or rigid clumps of spheres, 'assembly: {packing: "
     "{shapes: ...}}' (docs/case.md)"},
    {END, "contact: {rolling_friction: 0.1}",
     "8:11: unknown key 'rolling_friction' in 'contact': contacts have no rolling or twisting resistance; take LAMMPS' "
     "'pair_style granular' with 'tangential jager', which adds both (docs/lammps.md)"},
    {MATERIAL, "materials: [{shear_modulus: 29 GPa}]",
     "2:1: unknown key 'materials': all spheres are of one 'material'; for several take LAMMPS with a 'pair_coeff' for "
     "each pair of types (docs/lammps.md)"},
    {END, "fluid: {viscosity: 1e-3}",
     "8:1: unknown key 'fluid': there is no pore fluid; an undrained test is one at constant volume, 'volume: "
     "constant' "
     "in its stage (docs/case.md)"},
    {END, "contact: {cohesion: 1}",
     "8:11: unknown key 'cohesion' in 'contact': contacts have no cohesion in this version; LAMMPS' 'pair_style "
     "granular' has 'jkr' and 'dmt', without partial slip"},
    {END, "temperature: 300",
     "8:1: unknown key 'temperature': there is no heat in this version; take LAMMPS' 'pair_style granular' with "
     "'tangential jager' and 'heat' (docs/lammps.md)"},
    {END, "breakage: true",
     "8:1: unknown key 'breakage': grains are elastic and do not break: not in this version (docs/theory.md)"},
    {MATERIAL, "material: {young: 70 GPa, shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650}",
     "2:12: unknown key 'young' in 'material': give the shear modulus of the grains, 'shear_modulus' = E / (2 (1 + "
     "poisson)) (docs/coming-from.md)"},
    {END, "damping: {restitution: 0.9}",
     "8:11: unknown key 'restitution' in 'damping': give a share of critical damping, 'damping: {viscous: ...}' "
     "(docs/coming-from.md)"},
    {END, "wal: 1",
     "8:1: unknown key 'wal': it must be one of: jager, title, seed, material, contact, damping, time_step, "
     "density_scaling, gravity, overlap_limit, skin, assembly, output, checkpoint, stages, trace"},
    {END, "\"wall walls\": 1",
     "8:1: unknown key 'wall walls': it must be one of: jager, title, seed, material, contact, damping, time_step, "
     "density_scaling, gravity, overlap_limit, skin, assembly, output, checkpoint, stages, trace"},

    /* Quantities */
    {END, "skin: thick", "8:7: 'skin' needs a number, not 'thick'"},
    {END, "skin: nan", "8:7: 'skin' needs a number, not 'nan'"},
    {END, "skin: .inf", "8:7: 'skin' needs a number, not '.inf'"},
    {END, "skin: 1e999", "8:7: 'skin': the number '1e999' is too large or too long"},
    {END, "skin: 0,5",
     "8:7: ',5' after the number: the decimal separator is a point; 'skin' is a number without a unit, or in %"},
    {END, "skin: 3 mm", "8:7: 'mm' is a length; 'skin' is a number without a unit, or in %"},
    {END, "skin: 0", "8:7: 'skin' must lie in (0, 1], not '0'"},
    {END, "skin: 120 %", "8:7: 'skin' must lie in (0, 1], not '120 %'"},
    {END, "overlap_limit: 0", "8:16: 'overlap_limit' must lie in (0, 1], not '0'"},
    {END, "density_scaling: 0.5", "8:18: 'density_scaling' must lie in [1, 1e12], not '0.5'"},
    {END, "density_scaling: eech", "8:18: 'density_scaling' must be a number in [1, 1e12], or 'each', not 'eech'"},
    {END, "density_scaling: [each]", "8:18: 'density_scaling' must be a single value, not a list"},
    {END, "density_scaling:", "8:1: 'density_scaling' has no value"},
    {END, "seed: 1.5", "8:7: 'seed' must be a whole number in [0, 9223372036854775807]"},
    {END, "seed: -1", "8:7: 'seed' must be a whole number in [0, 9223372036854775807]"},
    {END, "gravity: [0, 0]", "8:10: 'gravity' must be a list of 3 numbers: [..., ...]"},
    {END, "gravity: -9.81", "8:10: 'gravity' must be a list of 3 numbers: [..., ...]"},
    {END, "gravity: [0, 0, 1 mm]", "8:17: 'mm' is a length; 'gravity.2' needs an acceleration: m/s2"},
    {END, "gravity: [0, 0, [1]]", "8:17: 'gravity.2' must be a single value, not a list"},
    {END, "damping: {global: 3 s}", "8:19: 's' is a time; 'global' needs a rate: 1/s, %/s, 1/min, %/min, 1/h or %/h"},
    {END, "damping: {local: 1}", "8:18: 'local' must lie in [0, 1), not '1'"},
    {END, "damping: {viscous: -1}", "8:20: 'viscous' must lie in [0, 1], not '-1'"},
    {END, "time_step: {fixed: 1 us, safety: 0.5}",
     "8:13: 'fixed' excludes 'safety' and 'interval', which are for time steps from the stability limit"},
    {END, "time_step: {fixed: 0 s}", "8:20: 'fixed' must lie in [1e-15, 1e6] s, not '0 s'"},
    {END, "time_step: {interval: 0}", "8:23: 'interval' must be a whole number in [1, 1e6], not '0'"},
    {END, "output: {plots: yes}", "8:17: 'plots' cannot be 'yes': it must be one of: false, true"},
    {END, "output: {series: -1}", "8:18: 'series' must be a whole number in [0, 1e12], not '-1'"},
    {END, "output: {series: 10 steps}", "8:18: 'series' must be a whole number in [0, 1e12], not '10 steps'"},
    {END, "checkpoint: {minutes: 10 min}", "8:23: 'min' is a time; 'minutes' is a number without a unit, or in %"},

    /* Material and contact */
    {MATERIAL, "material: {shear_modulus: 29 mm, poisson: 0.15, friction: 0.5, density: 2650}",
     "2:27: 'mm' is a length; 'shear_modulus' needs a pressure: Pa, kPa, MPa or GPa"},
    {MATERIAL, "material: {shear_modulus: 29 psi, poisson: 0.15, friction: 0.5, density: 2650}",
     "2:27: unknown unit 'psi'; 'shear_modulus' needs a pressure: Pa, kPa, MPa or GPa"},
    {MATERIAL, "material: {shear_modulus: 0, poisson: 0.15, friction: 0.5, density: 2650}",
     "2:27: 'shear_modulus' must lie in [1e-30, 1e30] Pa, not '0'"},
    {MATERIAL, "material: {shear_modulus: 29 GPa, poisson: -1, friction: 0.5, density: 2650}",
     "2:44: 'poisson' must lie in (-1, 0.5], not '-1'"},
    {MATERIAL, "material: {shear_modulus: 29 GPa, poisson: 0, friction: -0.5, density: 2650}",
     "2:57: 'friction' must lie in [0, 1e6], not '-0.5'"},
    {MATERIAL, "material: {shear_modulus: 29 GPa, poisson: 0, frictoin: 0.5, density: 2650}",
     "2:47: unknown key 'frictoin' in 'material': did you mean 'friction'? one of: shear_modulus, poisson, friction, "
     "density"},
    {MATERIAL, "material: {shear_modulus: 29 GPa, poisson: 0, friction: 0.5}",
     "2:1: 'density' is missing in 'material': write it like 'density: 2650 kg/m3'"},
    {END, "contact: {model: hertz}",
     "8:18: 'model' cannot be 'hertz': did you mean 'hertz-mindlin'? one of: jager, linear, hertz-mindlin, "
     "modified-mindlin, zhang-vuquoc"},
    {END, "contact: {model: lineal}",
     "8:18: 'model' cannot be 'lineal': did you mean 'linear'? one of: jager, linear, hertz-mindlin, modified-mindlin, "
     "zhang-vuquoc"},
    {END, "contact: {tolerance: 1.5}", "8:22: 'tolerance' must lie in [0, 1], not '1.5'"},
    {END, "contact: {model: linear, tolerance: 0.1}",
     "8:26: 'tolerance' needs 'model: jager': linear has no history to keep short"},
    {END, "contact: {tolerance: 1e-3, dp_max: 0.1}", "8:28: either 'tolerance' or 'dp_max', not both"},
    {END, "contact: {dp_max: -1}", "8:19: 'dp_max' must lie in [0, 1e6], not '-1'"},
    {END, "contact: {model: linear, dp_max: 0.1}",
     "8:26: 'dp_max' needs 'model: jager': linear has no history to merge"},
    {END, "contact: {linear: {kn: 3}}", "8:11: 'linear' needs 'model: linear', not jager"},
    {END, "contact: {contour: {kind: cone}}", "8:11: a cone needs 'slope', a number"},
    {END, "contact: {contour: {kind: power, slope: 1}}", "8:11: a power needs 'exponent', a number"},
    {END, "contact: {contour: {kind: sphere, slope: 1}}", "8:35: a sphere has no 'slope'"},
    {END, "contact: {contour: {kind: cube}}",
     "8:27: 'kind' cannot be 'cube': did you mean 'cone'? one of: sphere, cone, power"},
    {END, "contact: {contour: {slope: 1}}",
     "8:11: 'kind' is missing in 'contact.contour': write it like 'kind: sphere'"},

    /* Assembly */
    {ASSEMBLY, "assembly: {}",
     "3:1: 'assembly' must have one of the keys packing, lattice, file, checkpoint, not none"},
    {ASSEMBLY, "assembly: {file: a, checkpoint: b}",
     "3:1: 'assembly' must have one of the keys packing, lattice, file, checkpoint, not more"},
    {ASSEMBLY, "assembly: {file: ''}", "3:18: 'file' needs the name of a file"},
    {ASSEMBLY, "assembly: {fiel: x}",
     "3:12: unknown key 'fiel' in 'assembly': did you mean 'file'? one of: packing, lattice, file, checkpoint"},
    {ASSEMBLY, "assembly: {lattice: {kind: sc, cells: [4, 4], radius: 1}}",
     "3:39: 'cells' must be a list of 3 whole numbers: [4, 4, 4]"},
    {ASSEMBLY, "assembly: {lattice: {kind: sc, cells: [4, 4, 0], radius: 1}}",
     "3:46: 'assembly.lattice.cells.2' must be a whole number in [1, 10000], not '0'"},
    {ASSEMBLY, "assembly: {lattice: {kind: fcc, cells: [300, 200, 100], radius: 1}}",
     "3:40: 24000000 spheres are too many: at most 20000000 are possible"},
    {ASSEMBLY, "assembly: {lattice: {kind: sc, cells: [4, 4, 4], radius: 1, overlap: 0.2}}",
     "3:70: 'overlap' must lie in [0, 0.1], not '0.2'"},
    {ASSEMBLY, "assembly: {packing: {spheres: 4, pressure: 1, sizes: {uniform: {min: 1, max: 1}}}}",
     "3:31: 'spheres' must be a whole number in [8, 2e7], not '4'"},
    {ASSEMBLY, "assembly: {packing: {spheres: 8, pressure: 0, sizes: {uniform: {min: 1, max: 1}}}}",
     "3:44: 'pressure' must lie in (0, 1e15] Pa, not '0'"},
    {ASSEMBLY, "assembly: {packing: {spheres: 8, pressure: 1}}",
     "3:12: 'sizes' is missing in 'assembly.packing': write it like 'sizes: {uniform: {min: 0.8 mm, max: 1.2 mm}}'"},
    {ASSEMBLY, SHAPES("oval"),
     "3:90: there is no shape 'oval': take sphere, nevada, toyoura, pair, tetrahedron and octahedron"},
    {ASSEMBLY, SHAPES("[]"), "3:82: 'shapes' must be a shape, such as nevada, or a list of 1 to 16 shapes"},
    {ASSEMBLY, SHAPES("{name: nevada, radius: 2}"),
     "3:97: nevada is one shape: core, radius and offset are for pair, tetrahedron and octahedron"},
    {ASSEMBLY, SHAPES("{name: pair, file: a}"),
     "3:82: a shape has one of 'name' (sphere, nevada, toyoura, pair, tetrahedron and octahedron), 'spheres' and "
     "'file'; core, radius and offset are for names"},
    {ASSEMBLY, SHAPES("{spheres: [[0, 0, 0, 1], [3, 0, 0, 1]]}"),
     "3:115: the spheres do not hang together: no chain of spheres that touch or overlap leads from this one to the "
     "first"},
    {ASSEMBLY, SHAPES("{spheres: [[0, 0, 0, -1]]}"), "3:101: a radius must be positive"},
    {ASSEMBLY, SHAPES("{name: pair, share: 0}"), "3:110: 'share' must lie in (0, 1e9], not '0'"},
    {ASSEMBLY, "assembly: {packing: {spheres: 8, grains: 8, pressure: 1, sizes: {uniform: {min: 1, max: 1}}}}",
     "3:34: either 'grains' or 'spheres', not both: they are the same"},
    {ASSEMBLY, "assembly: {packing: {pressure: 1, sizes: {uniform: {min: 1, max: 1}}}}",
     "3:12: 'spheres' is missing in 'assembly.packing': write it like 'spheres: 4096', or 'grains: 1000' with "
     "'shapes'"},
    {ASSEMBLY, "assembly: {packing: {spheres: 8, pressure: 1, sizes: {uniform: {min: 2, max: 1}}}}",
     "3:78: 'max' must not be less than 'min'"},
    {ASSEMBLY, "assembly: {packing: {spheres: 8, pressure: 1, sizes: {uniform: {min: 1, max: 1001}}}}",
     "3:78: 'max' must not be more than 1000 times 'min'"},
    {ASSEMBLY, "assembly: {packing: {spheres: 8, pressure: 1, sizes: {lognormal: {median: 1, deviation: 1, min: 2}}}}",
     "3:75: 'median' must not be less than 'min'"},
    {ASSEMBLY, "assembly: {packing: {spheres: 8, pressure: 1, sizes: {lognormal: {median: 3, deviation: 1, max: 2}}}}",
     "3:75: 'median' must not be more than 'max'"},
    {ASSEMBLY,
     "assembly: {packing: {spheres: 8, pressure: 1, sizes: {lognormal: {median: 1, deviation: 1, min: 1, max: 1.01}}}}",
     "3:89: less than 1 % of the sizes lie between 'min' and 'max': lower 'deviation', or take 'uniform'"},
    {ASSEMBLY, "assembly: {packing: {spheres: 8, pressure: 1, sizes: {table: {diameter: [1, 1], passing: [0, 1]}}}}",
     "3:77: diameters must increase"},
    {ASSEMBLY, "assembly: {packing: {spheres: 8, pressure: 1, sizes: {table: {diameter: [1, 2, 3], passing: [0, 1]}}}}",
     "3:93: 'passing' must have as many items as 'diameter': 3, not 2"},
    {ASSEMBLY, "assembly: {packing: {spheres: 8, pressure: 1, sizes: {table: {diameter: [1, 2], passing: [0.1, 1]}}}}",
     "3:91: the first share must be 0: no grain is finer than the smallest diameter"},
    {ASSEMBLY, "assembly: {packing: {spheres: 8, pressure: 1, sizes: {table: {diameter: [1, 2], passing: [0, 99 %]}}}}",
     "3:94: the last share must be 1 or 100 %: all grains are finer than the largest diameter"},
    {ASSEMBLY,
     "assembly: {packing: {spheres: 8, pressure: 1, sizes: {table: {diameter: [1, 2, 3, 4], passing: [0, 0.5, 0.4, "
     "1]}}}}",
     "3:105: the passing shares must not decrease"},
    {ASSEMBLY, "assembly: {packing: {spheres: 8, pressure: 1, sizes: {table: {diameter: [1], passing: [0]}}}}",
     "3:73: 'diameter' must be a list of 2 to 64 numbers: [..., ...]\n"
     "dir/case.yaml:3:87: 'passing' must be a list of 2 to 64 numbers: [..., ...]"},

    /* Stages */
    {STAGES, "stages: 3\nx:",
     "4:9: 'stages' must be a list of blocks, each beginning with '- name: ...'\n"
     "dir/case.yaml:5:1: unknown key 'x': it must be one of: jager, title, seed, material, contact, damping, "
     "time_step, "
     "density_scaling, gravity, overlap_limit, skin, assembly, output, checkpoint, stages, trace"},
    {NAME, "-", "6:3: 'name' is missing in 'stages.0': write it like 'name: biaxial'"},
    {NAME, "- name: a b", "5:9: a stage cannot have the name 'a b': only letters, digits, - and _ are allowed"},
    {NAME, "- name: 12",
     "5:9: a stage cannot have the name '12': it needs a letter, since a number means the position in the list"},
    {NAME, "- name: packing",
     "5:9: a stage cannot have the name 'packing': this is the name of the stage that makes the assembly"},
    {NAME, "- name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     "5:9: a stage cannot have the name 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...': it must have "
     "1 to 63 "
     "characters"},
    {END, "- name: rest\n  mean_stress: {stress: 1}\n  until: {steps: 1}",
     "8:9: there is another stage 'rest': names must differ"},
    {CONTROL, "  control: {xx: {stress: 1}, xy: {strain_rate: 1}}",
     "6:3: 'control' does not say what is done to yy, zz: write it like 'yy: {stress: 100 kPa}', or 'yy: {strain_rate: "
     "0}' "
     "to hold it "
     "still"},
    {CONTROL, "  friction: 3",
     "5:3: 'control' does not say what is done to xx, yy, zz: write it like 'xx: {stress: 100 kPa}', or 'xx: "
     "{strain_rate: "
     "0}' to hold "
     "it still"},
    {CONTROL, "  control: {xx: {stress: 1}, yy: {stress: 1}, zz: {}}",
     "6:47: 'zz' must have one of the keys strain_rate, strain_step, strain, stress, volume, not none"},
    {CONTROL, "  control: {xx: {stress: 1}, yy: {stress: 1}, zz: {stress: 1, strain: 1}}",
     "6:47: 'zz' must have one of the keys strain_rate, strain_step, strain, stress, volume, not more"},
    {CONTROL, "  control: {xx: {stress: 1}, yy: {stress: 1}, zz: {strain_rate: 1, ramp: 3}}",
     "6:68: 'ramp' goes with 'stress' only"},
    {CONTROL, "  control: {xx: {stress: 1}, yy: {stress: 1}, zz: {stress: 0}}",
     "6:60: a normal stress must be more than 0: compression is positive, and grains do not hold tension"},
    {CONTROL, "  control: {xx: {stress: 1}, yy: {stress: 1}, zz: {stress: 1}, xy: {volume: constant}}",
     "6:69: 'volume' is for xx, yy and zz: shear does not change the volume"},
    {CONTROL, "  control: {xx: {stress: 1}, yy: {stress: 1}, zz: {volume: variable}}",
     "6:60: 'volume' cannot be 'variable': it must be one of: constant"},
    {CONTROL, "  control: {xx: {volume: constant}, yy: {volume: constant}, zz: {volume: constant}}",
     "6:3: xx, yy and zz cannot all have 'volume: constant': at least one must be driven or held"},
    {CONTROL, "  control: {xx: {stress: 1}, yy: {stress: 1}, zz: {strain_step: 0.1}}",
     "6:65: 'strain_step' must lie in [-0.01, 0.01], not '0.1'"},
    {CONTROL, "  control: {xx: {stress: 1}, yy: {stress: 1}, zz: {strain_rate: 1 %}}",
     "6:65: '%' is a number without a unit; 'strain_rate' needs a rate: 1/s, %/s, 1/min, %/min, 1/h or %/h"},
    {CONTROL, "  mean_stress: {stress: 1}\n  control: {xx: {stress: 1}}",
     "7:18: with 'mean_stress', 'xx' must have strain_rate or strain_step: the servo adds to it"},
    {CONTROL, "  mean_stress: {stress: 1}\n  control: {xx: {volume: constant}}",
     "7:18: with 'mean_stress', 'xx' must have strain_rate or strain_step: the servo adds to it"},
    {CONTROL, "  mean_stress: {ramp: 1}",
     "6:3: 'stress' is missing in 'stages.rest.mean_stress': write it like 'stress: 100 kPa'"},
    {CONTROL, "  mean_stress: {stress: 0}", "6:25: 'stress' must lie in (0, 1e15] Pa, not '0'"},

    /* Ends */
    {UNTIL, "", "5:3: 'until' is missing in 'stages.rest': write it like 'until: {steps: 40000}'"},
    {UNTIL, "  until: {}", "7:3: 'until' must say when the stage ends, such as 'steps: 40000'"},
    {UNTIL, "  until: {steps: 0}", "7:18: 'steps' must be a whole number in [1, 1e12], not '0'"},
    {UNTIL, "  until: {strain_zz: 0}", "7:22: 'strain_zz' must not be 0: strains count from the start of the stage"},
    {UNTIL, "  until: {gamma_xz: 0}", "7:21: 'gamma_xz' must not be 0: strains count from the start of the stage"},
    {UNTIL, "  until: {|gamma_xz|: 1}",
     "7:11: this is not YAML: plain scalar cannot start with '|': a key such as \"|gamma_xz|\" needs quotation marks"},
    {UNTIL, "  until: {cycles: 3}", "7:11: 'cycles' needs the block 'cyclic', which says what a cycle is"},
    {UNTIL, "  until: {stress_zz: 3 %}",
     "7:22: '%' is a number without a unit; 'stress_zz' needs a pressure: Pa, kPa, MPa or GPa"},
    {UNTIL,
     "  until: {stress_xx: 1, stress_yy: 1, stress_zz: 1, stress_xy: 1, stress_xz: 1, stress_yz: 1, p: 1, q: 1, "
     "void_ratio: 1}",
     "7:107: a stage may end by at most 8 strains, stresses and ratios"},
    {CONTROL,
     "  control: {xx: {stress: 1}, yy: {stress: 1}, zz: {strain_rate: -1 %/s}}\n  until: {strain_zz: 0.04}\n"
     "- name: b\n  mean_stress: {stress: 1}",
     "7:22: strain_zz goes down at strain_rate -0.01 and never reaches 0.04"},
    {CONTROL,
     "  control: {xx: {stress: 1}, yy: {stress: 1}, zz: {strain: 3 %}}\n  until: {time: 1, strain_zz: -1 %}\n"
     "- name: b\n  mean_stress: {stress: 1}",
     "7:31: strain_zz goes up at strain 0.03 and never reaches -1 %"},
    {CONTROL,
     "  control: {xx: {stress: 1}, yy: {stress: 1}, zz: {strain: 0.1}}\n  until: {p: 2}\n"
     "- name: b\n  mean_stress: {stress: 1}",
     "6:52: 'strain' is reached at the end of the stage: 'until' must have 'steps' or 'time'"},
    {CONTROL,
     "  control: {xx: {stress: 1}, yy: {stress: 1}, zz: {strain: 0.1}}\n  until: {time: 2, steps: 3}\n"
     "- name: b\n  mean_stress: {stress: 1}",
     "6:52: 'strain' is reached at the end of the stage: 'until' must have 'steps' or 'time', not both"},

    /* Cycles */
    {END, "  cyclic: {of: strain_xy, amplitude: 1 %}",
     "8:16: strain_xy cannot cycle: give xy a strain_rate or strain_step that is not 0"},
    {END, "  cyclic: {of: stress_xx, amplitude: 1 kPa}",
     "8:3: nothing cycles: a component needs a strain_rate or strain_step that is not 0, to be reversed\n"
     "dir/case.yaml:8:16: stress_xx cannot cycle: it is held by 'control'"},
    {END, "  cyclic: {of: q, amplitude: 1 kPa}",
     "8:3: nothing cycles: a component needs a strain_rate or strain_step that is not 0, to be reversed"},
    {CONTROL, "  mean_stress: {stress: 1}\n  control: {xy: {strain_step: 1e-5}}\n  cyclic: {of: p, amplitude: 1}",
     "8:16: p cannot cycle: it is held by 'mean_stress'"},
    {END, "  cyclic: {of: void_ratio, amplitude: 1 %}",
     "8:16: 'of' cannot be 'void_ratio': it must be one of: strain_xx, strain_yy, strain_zz, strain_xy, strain_xz, "
     "strain_yz, "
     "stress_xx, stress_yy, stress_zz, stress_xy, stress_xz, stress_yz, p, q, gamma_xy, gamma_xz, gamma_yz"},
    {END, "  cyclic: {of: strain_xy, amplitude: 1 kPa}",
     "8:38: 'kPa' is a pressure; 'amplitude' is a number without a unit, or in %"},
    {END, "  cyclic: {of: stress_xy, amplitude: 0}", "8:38: 'amplitude' must lie in (0, 1e15] Pa, not '0'"},
    {END, "  cyclic: {of: strain_xy, amplitude: 0.1, center: 0}",
     "8:43: 'center' is for cycles of a stress, p or q: strains cycle around the start of the stage"},
    {CONTROL,
     "  mean_stress: {stress: 1}\n  control: {xy: {strain_step: 1e-5}}\n  cyclic: {of: q, amplitude: 1}\n"
     "  until: {void_ratio: 1}\n- name: b\n  mean_stress: {stress: 1}",
     "9:3: cycles need an end: 'until' must have 'cycles', 'steps' or 'time'"},
    {CONTROL,
     "  mean_stress: {stress: 1}\n  control: {xy: {strain: 0.1}, xz: {strain_step: 1e-5}}\n"
     "  cyclic: {of: q, amplitude: 1}",
     "7:18: 'strain' and 'cyclic' contradict each other: give strain_rate or strain_step"},
    {END, "  cyclic: {amplitude: 1 kPa}",
     "8:3: 'of' is missing in 'cyclic': write it like 'of: strain_zz', or give 'paths'"},
    {END, "  cyclic: {of: strain_xy}", "8:3: 'amplitude' is missing in 'cyclic': write it like 'amplitude: 0.1 %'"},
    {END, "  cyclic: {of: stress_xy, amplitude: 1 kPa, csr: 0.2}", "8:3: either 'amplitude' or 'csr', not both"},
    {END, "  cyclic: {of: stress_xx, csr: 0.2}",
     "8:27: 'csr' is for cycles of stress_xy, stress_xz, stress_yz or q: give 'amplitude'"},

    /* Paths */
    {END, "  cyclic: {paths: {xz: {strain: 1 %}}, of: q, amplitude: 1}",
     "8:3: reversals and paths exclude each other: give 'of' and 'amplitude', or 'paths'"},
    {END, "  cyclic: {period: 1 s}",
     "8:3: 'paths' is missing: it says which components follow waves, such as 'paths: {xz: {gamma: 0.1 %}}'"},
    {END, "  cyclic: {paths: {}, period: 1 s}",
     "8:12: 'paths' must name the components that follow a wave, such as 'xz: {gamma: 0.1 %}'"},
    {END, "  cyclic: {paths: {xz: {phase: 3}}, period: 1 s}",
     "8:20: 'xz' must have one of the keys strain, gamma, stress: the amplitude of its wave"},
    {END, "  cyclic: {paths: {xz: {strain: 1 %, gamma: 2 %}}, period: 1 s}",
     "8:20: 'xz' must have one of the keys strain, gamma, stress: the amplitude of its wave"},
    {END, "  cyclic: {paths: {xx: {strain: 1 %}}, period: 1 s}",
     "8:20: 'xx' is also given in 'control': leave it out there"},
    {CONTROL, "  control: {xx: {stress: 1}, yy: {stress: 1}}\n  cyclic: {paths: {zz: {gamma: 1 %}}, period: 1 s}",
     "7:25: 'gamma' is a shear angle, for xy, xz and yz: give 'strain'"},
    {END, "  cyclic: {paths: {xz: {strain: 1 %, center: 0}}, period: 1 s}",
     "8:38: 'center' is for paths of a stress: strains start in their centre"},
    {END, "  cyclic: {paths: {xz: {strain: 1 %}}}",
     "8:3: the duration of a cycle must be given by 'period', or by 'steps_per_cycle', 'inertial_number' (beside "
     "'cyclic') or both of these; the longer duration counts"},
    {END, "  cyclic: {paths: {xz: {strain: 1 %}}, period: 1 s, steps_per_cycle: 100}",
     "8:3: the duration of a cycle must be given by 'period', or by 'steps_per_cycle', 'inertial_number' (beside "
     "'cyclic') or both of these; the longer duration counts"},
    {END, "  inertial_number: 1e-4\n  cyclic: {paths: {xz: {stress: 1 kPa}}}",
     "8:3: no strain can follow the inertial number: a component needs a strain_rate or strain_step that is not 0, "
     "such as 'strain_rate: 1'\n"
     "dir/case.yaml:9:3: 'inertial_number' cannot set the pace of stresses, whose strains are not known: give "
     "'steps_per_cycle'"},
    {END, "  cyclic: {paths: {xz: {strain: 1 %, phase: 90}}, period: 1 s, run_in: 0}",
     "8:20: without 'run_in' a path must start in its centre: 'phase' must be 0 or 180"},
    {CONTROL, "  mean_stress: {stress: 1}\n  cyclic: {paths: {zz: {strain: 1 %}}, period: 1 s}",
     "7:20: with 'mean_stress', 'zz' must have strain_rate or strain_step: the servo adds to it"},

    /* Pace */
    {END, "  inertial_number: 1e-4",
     "8:3: no strain can follow the inertial number: a component needs a strain_rate or strain_step that is not 0, "
     "such as 'strain_rate: 1'"},
    {CONTROL,
     "  control: {xx: {stress: 1}, yy: {stress: 1}, zz: {strain: 0.1}}\n  inertial_number: 1e-4\n  until: {time: 2}\n"
     "- name: b\n  mean_stress: {stress: 1}",
     "6:52: 'strain' prescribes its speed, but 'inertial_number' chooses the speed: give 'strain_rate: "
     "1', and the strain in 'until'"},

    /* Modulus reductions */
    {UNTIL, "  modulus_reduction: {amplitudes: [1e-6], cycles: 1}",
     "7:51: 'cycles' must be a whole number in [2, 1e6], not '1'"},
    {UNTIL, "  modulus_reduction: {component: xz}",
     "7:3: 'amplitudes' is missing in 'stages.rest.modulus_reduction': write it like 'amplitudes: {from: 1e-6, to: "
     "1e-3, per_decade: 3}'"},
    {UNTIL, "  modulus_reduction: {amplitudes: [1e-5, 1e-6]}",
     "7:42: amplitudes must rise: the assembly would remember the larger ones"},
    {UNTIL, "  modulus_reduction: {amplitudes: {from: 1e-3, to: 1e-6}}", "7:23: 'to' must be larger than 'from'"},
    {UNTIL, "  modulus_reduction: {amplitudes: {from: 1e-6, to: 1e-2, per_decade: 10}}",
     "7:23: these are 41 amplitudes; at most 32 are possible"},
    {UNTIL, "  modulus_reduction: {amplitudes: [1e-6], component: zz}",
     "7:54: 'component' cannot be 'zz': did you mean 'xz'? one of: xy, xz, yz"},
    {END, "  modulus_reduction: {amplitudes: [1e-6]}",
     "7:3: 'until' and 'modulus_reduction' exclude each other: the latter says how to cycle"},

    /* Lists */
    {END, "contact: {model: [jager, jager]}", "8:26: 'jager' is in the list twice"},
    {END, "contact: {model: [jager, hertz]}",
     "8:26: 'contact.model.1' cannot be 'hertz': did you mean 'hertz-mindlin'? one of: jager, linear, hertz-mindlin, "
     "modified-mindlin, zhang-vuquoc"},
    {END, "contact: {model: [linear, hertz-mindlin], tolerance: 1e-3}",
     "8:43: 'tolerance' needs 'model: jager': linear has no history to keep short"},
    {END, "contact: {model: [jager, linear]}\ntrace: [{pair: [1, 2]}]",
     "9:1: 'trace' cannot be beside a list of models or of 'csr'"},
    {CONTROL,
     "  control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}, xz: {strain_rate: 1}}\n"
     "  cyclic: {of: stress_xz, csr: [0.1, 0.2]}",
     "7:27: a list of 'csr' needs a stage before it, whose last state all ratios start from: let the assembly come to "
     "rest"},
    {CONTROL,
     "  control: {xx: {strain_rate: 0}, yy: {strain_rate: 0}, zz: {strain_rate: 0}, xz: {strain_rate: 1}}\n"
     "  cyclic: {of: stress_xz, csr: [0.2, 0.1]}",
     "7:38: the ratios must rise"},

    /* Shear angles */
    {CONTROL, "  control: {xx: {stress: 1}, yy: {stress: 1}, zz: {gamma_rate: 1}}",
     "6:52: 'gamma_rate' is a shear angle, for xy, xz and yz: normal components have a strain"},
    {CONTROL, "  control: {xx: {stress: 1}, yy: {stress: 1}, zz: {stress: 1}, xz: {gamma: 1, strain: 1}}",
     "6:64: 'xz' must have one of the keys strain_rate, strain_step, strain, stress, volume, gamma_rate, gamma_step, "
     "gamma, not more"},

    /* Traces */
    {END, "trace: 3", "8:8: 'trace' must be a list of blocks, such as '- {pair: [12, 345]}'"},
    {END, "trace: [{every: 2}]", "8:9: a trace must have 'pair: [12, 345]' or 'born: {strain_zz: 0.03}'"},
    {END, "trace: [{pair: [1, 2], born: {strain_zz: 1}, window: 1}]",
     "8:9: a trace must have 'pair: [12, 345]' or 'born: {strain_zz: 0.03}', not both"},
    {END, "trace: [{pair: [1]}]", "8:16: 'pair' must be a list of the ids of 2 spheres: [12, 345]"},
    {END, "trace: [{pair: [1, 1]}]", "8:16: 'pair' must be two different spheres"},
    {END, "trace: [{pair: [1, 64]}]", "8:20: 'trace.0.pair.1' must be a whole number in [0, 63], not '64'"},
    {END, "trace: [{pair: [1, 2], stage: rest}]", "8:24: 'stage' goes with 'born', not with 'pair'"},
    {END, "trace: [{born: {strain_zz: 1}, window: 0.1, stage: reast}]",
     "8:52: 'stage' cannot be 'reast': did you mean 'rest'? one of: rest"},
    {END, "trace: [{born: {strain_zz: 1}}]",
     "8:10: 'born' needs 'window', the range of strain before and after it in which contacts are considered: 'window: "
     "0.002'"},
    {END, "trace: [{born: {strain_zz: 1, strain_xx: 1}, window: 1}]",
     "8:10: 'born' must have one of the keys strain_xx, strain_yy, strain_zz, strain_xy, strain_xz, strain_yz, not "
     "more"},
    {END, "trace: [{pair: [1, 2], every: 0}]", "8:31: 'every' must be a whole number in [1, 1e12], not '0'"},
};

#endif
