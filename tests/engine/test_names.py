"""A pasted name or address leads to the repository that it means, and nothing else does."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.hub.names import is_repo, parse

REPO = "state-spaces/mamba-130m-hf"
COMMIT = "1e76775a628b0f3ed6cb5a2ea2b4a2f2f2f2f2f2"


@pytest.mark.parametrize(
    "text",
    [
        REPO,
        f"  {REPO}\n",
        f"{REPO}/",
        f"<https://huggingface.co/{REPO}>",
        f'"{REPO}"',
        f"https://huggingface.co/{REPO}?library=transformers#model",
        f"HTTPS://HuggingFace.co/{REPO}/",
        f"http://127.0.0.1:8080/{REPO}",
        f"https://hf-mirror.com/{REPO}/tree/main",
        f"hf-mirror.com/{REPO}",
        f"huggingface.co/{REPO}",
        f"hf.co/{REPO}",
        f"hf://{REPO}",
        f"hf://models/{REPO}",
        f"https://huggingface.co/api/models/{REPO}",
        f"https://huggingface.co/{REPO}/discussions/3",
        f"https://huggingface.co/{REPO}/blob/main/config.json",
        "state-spaces／mamba-130m-hf",  # as a Japanese keyboard writes it
    ],
)
def test_a_name_or_an_address_means_its_repository(text: str) -> None:
    assert parse(text) == (REPO, "main")


@pytest.mark.parametrize(
    ("text", "revision"),
    [
        (f"https://huggingface.co/{REPO}/tree/v1.0", "v1.0"),
        (f"https://huggingface.co/{REPO}/tree/{COMMIT}", COMMIT),
        (f"https://huggingface.co/{REPO}/blob/{COMMIT}/config.json", COMMIT),
        (f"https://huggingface.co/{REPO}/resolve/dev/model.safetensors?download=true", "dev"),
        (f"https://huggingface.co/{REPO}/tree/refs%2Fpr%2F2", "refs/pr/2"),
        (f"https://huggingface.co/{REPO}/tree/refs/pr/2", "refs/pr/2"),
        (f"https://huggingface.co/{REPO}/commits/dev", "dev"),
        (f"https://huggingface.co/api/models/{REPO}/revision/dev", "dev"),
        (f"hf://{REPO}@dev/config.json", "dev"),
        (f"{REPO}@refs%2Fpr%2F1", "refs/pr/1"),
        (f"{REPO}/tree/dev", "dev"),
        ("a.b/name/tree/dev", "dev"),
    ],
)
def test_the_revision_of_an_address_is_kept(text: str, revision: str) -> None:
    assert parse(text).revision == revision


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "mamba",
        "gpt2",
        "https://huggingface.co/gpt2",
        "https://huggingface.co/",
        "https://huggingface.co/datasets/owner/name",
        "https://huggingface.co/spaces/owner/name",
        "https://huggingface.co/models?search=mamba",
        "file:///etc/passwd",
        "ftp://huggingface.co/owner/name",
        "../..",
        "owner/..",
        "owner/.",
        "./name",
        "/etc/passwd/../x",
        "owner/na me",
        "owner/na--me",
        "owner/na..me",
        "owner/name.git",
        "owner/-name",
        "owner/name\0",
        "owner/%2e%2e",
        "owner\\name",
        "owner/" + "x" * 100,
        f"{REPO}/tree/..",
        f"{REPO}@a b",
        "所有者/名前",
    ],
)
def test_anything_else_is_told_to_be_no_name(text: str) -> None:
    with pytest.raises(EngineError) as caught:
        parse(text)
    assert caught.value.code == "bad_repo"
    assert str(caught.value).isprintable()


def test_a_name_can_be_a_folder_on_every_system() -> None:
    assert is_repo(REPO)
    assert is_repo("a_b/c.d")
    for text in ("a", "a/b/c", "a/b\n", "/a/b", "a/..", "a\\b/c", "a:b/c"):
        assert not is_repo(text), text
