# SPDX-License-Identifier: MIT
"""Colours of code, light and dark: every one has a contrast of at least 4.5 to 1 against the background of code."""
from pygments.style import Style
from pygments.token import (Comment, Error, Generic, Keyword, Literal, Name, Number, Operator, Punctuation, String,
                            Text, Token)


def styles(plain, muted, word, name, text, number):
    return {Token: plain, Text: plain, Error: plain, Punctuation: plain, Operator: plain, Comment: "italic " + muted,
            Keyword: word, Name: plain, Name.Tag: name, Name.Function: name, Name.Class: name, Name.Decorator: name,
            Name.Builtin: name, Name.Attribute: name, Name.Label: name, Name.Variable: plain, Comment.Preproc: word,
            String: text, Literal: number, Number: number, Generic.Prompt: muted, Generic.Output: plain,
            Literal.Scalar: plain}


class Light(Style):
    background_color = "#f6f7f8"
    styles = styles("#1d2329", "#59616a", "#8b1f62", "#1f5a8c", "#2c6416", "#874400")


class Dark(Style):
    background_color = "#1b2025"
    styles = styles("#dfe3e7", "#a0a8b0", "#f0a0d0", "#8cc3f0", "#a8d58c", "#f2b27c")
