"""A model as a row of the Models view: installed, or offered by the catalogue and the Hub."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QLocale

from app import format as text
from app import wording
from app.library_rows import Card, Deed, ModelRow
from app.library_words import bytes_of, name_of, owner_of
from engine import library
from engine.api import Download, Fit, Machine, ModelInfo, Need, Offer

_TINY = 50_000_000  # parameters; what is smaller is no help with facts
_LICENCES = {
    "apache-2.0": "Apache 2.0",
    "mit": "MIT",
    "cc-by-4.0": "CC BY 4.0",
    "cc-by-nc-4.0": "CC BY-NC 4.0",
    "cc-by-sa-4.0": "CC BY-SA 4.0",
    "falcon-llm-license": "Falcon LLM 2.0",
    "falcon-mamba-7b-license": "Falcon-Mamba 2.0",
    "falcon-mamba-license": "Falcon-Mamba 2.0",
    "mnpl-0.1": "Mistral NPL 0.1",
}


def fit_of(needed: int, machine: Machine | None) -> Fit | None:
    """Whether so many bytes fit; None while the machine is not known, or the bytes are not."""
    return library.fit_of(needed, machine) if machine and needed else None


def chosen_need(needs: Sequence[Need], wanted: str, machine: Machine | None) -> Need | None:
    """The precision that a row stands at: the one that was chosen, else the first that fits, else
    the first that is no more than tight, else the model's own."""
    for need in needs:
        if need.precision == wanted:
            return need
    for fits in (("fits",), ("fits", "tight")):
        for need in needs:
            if fit_of(need.needed_bytes, machine) in (*fits, None):
                return need
    return needs[0] if needs else None


def installed_row(
    info: ModelInfo, machine: Machine | None, *, deed: Deed, precision: str, page: str
) -> ModelRow:
    """An installed model. `precision` is the one it would be, or is, loaded in; `page` its
    address on the Hub, empty for none."""
    need = chosen_need(info.needs, precision, machine)
    needed = need.needed_bytes if need else info.needed_bytes
    kind = chat_or_base(info.chat)
    if info.bundled and info.chat and info.parameters < _TINY:
        kind = QCoreApplication.translate("Library", "Chat, tiny")
    note = owner_of(info.name)
    if info.bundled:
        note = QCoreApplication.translate("Library", "comes with the app")
    licence = licence_name(info.licence)
    if info.bundled and not licence:
        licence = QCoreApplication.translate("Library", "See card")
    loaded = QCoreApplication.translate("Library", "Loaded") if deed == "loaded" else ""
    return ModelRow(
        id=info.name,
        name=name_of(info.name),
        note=noted(info, note),
        kind=kind,
        chat=info.chat,
        licence=licence,
        precision=need.precision if need else info.dtype,
        precisions=tuple(each.precision for each in info.needs),
        disk=disk(info.disk_bytes),
        needed_bytes=needed,
        memory=text.short_size(needed) if needed else "",
        fit=fit_of(needed, machine),
        deed=deed,
        word=loaded,
        problem=info.problem,
        removable=info.place in ("own", "imported"),
        forgets=info.place == "imported",
        revealable=True,
        card=_installed_card(info, licence, page),
    )


def offer_row(
    offer: Offer,
    machine: Machine | None,
    *,
    precision: str,
    word: str,
    page: str,
    note: str,
) -> ModelRow:
    """A model that can be got. `word` stands in place of the button where it is here or coming;
    `note` is what stands after its name."""
    need = chosen_need(offer.needs, precision, machine)
    needed = need.needed_bytes if need else 0
    fit = fit_of(needed, machine)
    return ModelRow(
        id=offer.repo,
        name=name_of(offer.repo),
        note=noted(offer, note),
        kind=chat_or_base(offer.chat),
        chat=offer.chat,
        licence=licence_name(offer.licence),
        precision=need.precision if need else offer.dtype,
        precisions=tuple(each.precision for each in offer.needs),
        disk=disk(offer.disk_bytes),
        needed_bytes=needed,
        memory=text.short_size(needed) if needed else "",
        fit=fit,
        deed="none" if word or offer.problem else "get",
        word=word,
        enabled=fit != "too_big",
        problem=offer.problem,
        card=_offer_card(offer, page),
    )


def noted(model: ModelInfo | Offer, note: str) -> str:
    """What stands after a model's name: a Transformer is told as what it is."""
    if not model.for_comparison:
        return note
    if not note:
        return QCoreApplication.translate("Library", "Transformer")
    return QCoreApplication.translate("Library", "{note}, Transformer").replace("{note}", note)


def word_of(download: Download) -> str:
    """How far a model of the catalogue is, in place of its button."""
    if download.phase == "checking":
        return QCoreApplication.translate("Library", "Checking")
    if download.phase == "paused":
        return QCoreApplication.translate("Library", "Paused")
    if download.phase == "failed":
        return QCoreApplication.translate("Library", "Failed")
    if download.phase == "waiting" or not download.total_bytes:
        return QCoreApplication.translate("Library", "Waiting")
    return f"{int(100 * download.done_bytes / download.total_bytes)} %"


def chat_or_base(chat: bool) -> str:
    """Whether a model answers or continues."""
    if chat:
        return QCoreApplication.translate("Library", "Chat")
    return QCoreApplication.translate("Library", "Base")


def licence_name(licence: str) -> str:
    """A licence as it is shown: "Apache 2.0" for "apache-2.0"."""
    return _LICENCES.get(licence.lower(), "" if licence in ("other", "unknown") else licence)


def disk(n_bytes: int) -> str:
    """The size of a model's files: "24 MB", "0.52 GB", "11.07 GB"; empty when it is not known."""
    if not n_bytes:
        return ""
    if n_bytes < 99_500_000:
        return text.short_size(n_bytes)
    return f"{n_bytes / 1e9:.2f} GB"


def parameters(count: int) -> str:
    """How many numbers a model has, in three digits: "129 million", "1.37 billion"."""
    if not count:
        return ""
    if QLocale().language() == QLocale.Language.Japanese:
        return _in_japanese(count)
    millions = count / 1e6
    if millions < 999.5:
        digits = f"{millions:.0f}" if millions >= 99.95 else f"{millions:.1f}"
        words = QCoreApplication.translate("Library", "{n} million")
        return words.replace("{n}", digits)
    words = QCoreApplication.translate("Library", "{n} billion")
    return words.replace("{n}", f"{millions / 1e3:.2f}")


def _in_japanese(count: int) -> str:
    """Numbers are counted in ten thousands there: 1億2900万."""
    scale = 10 ** max(0, len(str(count)) - 3)
    rounded = round(count / scale) * scale
    hundred_millions, rest = divmod(rounded, 10**8)
    return (f"{hundred_millions}億" if hundred_millions else "") + (
        f"{rest // 10**4}万" if rest >= 10**4 else ""
    )


def machine_facts(machine: Machine | None, used: int, free: int) -> tuple[tuple[str, str], ...]:
    """What the sidebar tells of the machine."""
    if machine is None:
        return ()
    facts = [
        (machine.device, machine.backend),
        (QCoreApplication.translate("Library", "Memory"), wording.memory(machine.memory_bytes)),
        (
            QCoreApplication.translate("Library", "For models"),
            text.short_size(machine.limit_bytes),
        ),
    ]
    if free:
        facts.append((QCoreApplication.translate("Library", "Free on disk"), _whole(free)))
    facts.append((QCoreApplication.translate("Library", "Used by models"), text.short_size(used)))
    return tuple(facts)


def _whole(n_bytes: int) -> str:
    return f"{n_bytes / 1e9:,.0f} GB" if n_bytes >= 99_500_000_000 else text.short_size(n_bytes)


def _installed_card(info: ModelInfo, licence: str, page: str) -> Card:
    facts = [
        (QCoreApplication.translate("Library", "Licence"), licence),
        (QCoreApplication.translate("Library", "Parameters"), parameters(info.parameters)),
        (QCoreApplication.translate("Library", "On disk"), bytes_of(info.disk_bytes)),
        *_memory_facts(info.needs),
        (
            QCoreApplication.translate("Library", "State"),
            _state(info),
        ),
        (QCoreApplication.translate("Library", "Folder"), str(info.folder)),
    ]
    return _card(info.name, info.problem or _what_it_is(info), facts, page)


def _offer_card(offer: Offer, page: str) -> Card:
    gated = QCoreApplication.translate("Library", "to be accepted on its page first")
    licence = licence_name(offer.licence)
    facts = [
        (
            QCoreApplication.translate("Library", "Licence"),
            f"{licence}, {gated}" if offer.gated and licence else gated if offer.gated else licence,
        ),
        (QCoreApplication.translate("Library", "Parameters"), parameters(offer.parameters)),
        (
            QCoreApplication.translate("Library", "Download"),
            bytes_of(offer.disk_bytes) if offer.disk_bytes else "",
        ),
        *_memory_facts(offer.needs),
    ]
    return _card(offer.repo, offer.problem or offer.about or _what_it_is(offer), facts, page)


def _card(name: str, about: str, facts: list[tuple[str, str]], page: str) -> Card:
    return Card(
        title=name_of(name),
        subtitle=owner_of(name),
        about=about,
        facts=tuple(fact for fact in facts if fact[1]),
        link=page,
    )


def _memory_facts(needs: Sequence[Need]) -> list[tuple[str, str]]:
    """The memory in each precision, one line for each."""
    words = QCoreApplication.translate("Library", "Memory in {precision}")
    return [
        (words.replace("{precision}", need.precision), text.short_size(need.needed_bytes))
        for need in needs
    ]


def _state(info: ModelInfo) -> str:
    """The bytes of a chat's state, or what each token adds to it."""
    if info.state_bytes_per_token:
        words = QCoreApplication.translate("Library", "{size} for each token")
        return words.replace("{size}", bytes_of(info.state_bytes_per_token))
    return bytes_of(info.state_bytes) if info.state_bytes else ""


def _what_it_is(model: ModelInfo | Offer) -> str:
    if model.for_comparison:
        return QCoreApplication.translate(
            "Library", "A Transformer, for comparison: its state grows with every token."
        )
    if model.chat:
        return QCoreApplication.translate("Library", "A chat model: it answers what you write.")
    return wording.base_model()
