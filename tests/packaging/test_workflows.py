"""The workflows run the commands that the checkout has, and nothing else than a developer runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

NAMES = ["linux", "macos"]


def workflow(root: Path, name: str) -> dict[str, Any]:
    """A workflow, read. YAML 1.1 takes the key `on` for the value true."""
    text = (root / ".github" / "workflows" / f"{name}.yml").read_text("utf-8")
    content: dict[Any, Any] = yaml.safe_load(text)
    content["on"] = content.pop(True)
    return content


def commands(root: Path, name: str) -> str:
    """All that a workflow's steps run."""
    jobs = workflow(root, name)["jobs"].values()
    return "\n".join(step.get("run", "") for job in jobs for step in job["steps"])


@pytest.mark.parametrize("name", NAMES)
def test_a_workflow_runs_on_every_change(root: Path, name: str) -> None:
    content = workflow(root, name)
    assert {"push", "pull_request", "workflow_dispatch"} == set(content["on"])
    assert content["permissions"] == {"contents": "read"}


@pytest.mark.parametrize("name", NAMES)
def test_a_workflow_cannot_hang(root: Path, name: str) -> None:
    assert all(job["timeout-minutes"] <= 60 for job in workflow(root, name)["jobs"].values())


@pytest.mark.parametrize("name", NAMES)
def test_a_workflow_makes_only_what_the_makefile_has(root: Path, name: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", (root / "Makefile").read_text("utf-8"), re.MULTILINE))
    made = set(re.findall(r"\bmake ([a-z]+)", commands(root, name)))
    assert made <= targets


def test_linux_does_what_ci_does(root: Path) -> None:
    assert commands(root, "linux").split() == [".ci/run"]
    assert (root / ".ci" / "run").read_text("utf-8").rstrip().endswith("exec make test")


def test_the_mac_passes_the_suite_the_metal_tests_and_the_smoke_test(root: Path) -> None:
    lines = commands(root, "macos")
    steps = ["is_available()", "make test", "make metal", "mamba-chat.spec", "--smoke-test", "zip"]
    places = [lines.index(step) for step in steps]
    assert places == sorted(places)


def test_the_mac_is_an_apple_silicon_runner(root: Path) -> None:
    assert workflow(root, "macos")["jobs"]["app"]["runs-on"] == "macos-15"


def test_the_mac_app_is_made_with_mlx_for_the_oldest_macos(root: Path, plist: Any) -> None:
    floor = plist.MINIMUM_MACOS
    assert workflow(root, "macos")["jobs"]["app"]["env"]["MACOSX_DEPLOYMENT_TARGET"] == floor
    assert f"macosx_{floor.replace('.', '_')}_arm64" in commands(root, "macos")
