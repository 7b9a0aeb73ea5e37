"""The workflows run the commands that the checkout has, and nothing else than a developer runs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

import engine
from engine.__main__ import _parser

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


def app_steps(root: Path) -> list[dict[str, Any]]:
    """The steps that make the Mac app."""
    steps: list[dict[str, Any]] = workflow(root, "macos")["jobs"]["app"]["steps"]
    return steps


def test_the_mac_passes_every_test_before_it_builds_the_app(root: Path) -> None:
    lines = "\n".join(step.get("run", "") for step in app_steps(root))
    steps = ["is_available()", "make test", "make metal", "make screenshots", "engine bench"]
    places = [lines.index(step) for step in (*steps, "packaging/build_app.sh")]
    assert places == sorted(places)


def test_the_mac_is_an_apple_silicon_runner_with_the_python_of_the_wheels(root: Path) -> None:
    assert workflow(root, "macos")["jobs"]["app"]["runs-on"] == "macos-15"
    (python,) = [s["with"] for s in app_steps(root) if "setup-python" in s.get("uses", "")]
    assert python == {"python-version": "3.12", "architecture": "arm64"}


def test_the_mac_app_is_made_by_the_script_that_a_person_runs_too(root: Path) -> None:
    assert "pyinstaller" not in commands(root, "macos").lower()
    (step,) = [step for step in app_steps(root) if "build_app" in step.get("run", "")]
    assert step["run"].split() == ["packaging/build_app.sh", "build/release"]
    assert os.access(root / "packaging" / "build_app.sh", os.X_OK)


def test_no_step_of_the_mac_may_take_longer_than_its_job(root: Path) -> None:
    job = workflow(root, "macos")["jobs"]["app"]["timeout-minutes"]
    assert all(step.get("timeout-minutes", 1) < job for step in app_steps(root))


def test_what_is_packed_is_what_is_kept_and_what_is_released(root: Path) -> None:
    kept = [step["with"] for step in app_steps(root) if "upload" in step.get("uses", "")]
    app, others = kept
    folder = "build/release"
    files = {f"{folder}/{name}" for name in ("*.zip", "*.dmg", "SHA256SUMS")}
    assert set(app["path"].split()) == files
    assert app["if-no-files-found"] == "error"
    assert set(others["path"].split()) == {"build/screenshots", "build/bench"}
    release = workflow(root, "macos")["jobs"]["release"]["steps"]
    (fetched,) = [step["with"] for step in release if "download" in step.get("uses", "")]
    assert fetched["name"] == app["name"]
    assert f"{fetched['path']}/*" in commands(root, "macos")


def test_the_figures_are_asked_for_as_the_engine_understands(root: Path) -> None:
    text = commands(root, "macos").replace("\\\n", " ")
    (line,) = [line for line in text.splitlines() if "engine bench" in line]
    words = line.partition("|")[0].split()
    given = [word.strip('"').replace("$model", "starter-3m") for word in words]
    options = _parser().parse_args(given[given.index("bench") :])
    assert (options.prompt_tokens, options.repeats, options.json) == ([128, 512, 2048], 5, True)
    models = re.findall(r"for model in (.*); do", text)[0].split()
    assert all((root / "resources" / "models" / name).is_dir() for name in models)


def test_only_a_tag_is_released_and_only_that_job_may_write(root: Path) -> None:
    content = workflow(root, "macos")
    assert content["on"]["push"]["tags"] == ["v*"]
    jobs = content["jobs"]
    assert {name for name, job in jobs.items() if "permissions" in job} == {"release"}
    assert jobs["release"]["permissions"] == {"contents": "write"}
    assert jobs["release"]["needs"] == "app"
    assert jobs["release"]["if"] == "startsWith(github.ref, 'refs/tags/v')"
    assert "--draft" in jobs["release"]["steps"][-1]["run"]


def released(root: Path, folder: Path, tag: str) -> subprocess.CompletedProcess[str]:
    """Run the steps of a release in a folder, with a `gh` that does nothing."""
    (folder / "engine").mkdir(exist_ok=True)
    shutil.copy(root / "engine" / "__init__.py", folder / "engine")
    shutil.copy(root / "CHANGELOG.md", folder)
    (folder / "gh").write_text('#!/bin/sh\necho "$@"\n')
    (folder / "gh").chmod(0o755)
    steps = workflow(root, "macos")["jobs"]["release"]["steps"]
    script = "\n".join(step["run"] for step in steps if "run" in step)
    environment = {"PATH": f"{folder}:{os.environ['PATH']}", "GITHUB_REF_NAME": tag}
    return subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_release_is_of_the_version_and_tells_what_changed(root: Path, tmp_path: Path) -> None:
    done = released(root, tmp_path, f"v{engine.__version__}")
    assert done.returncode == 0, done.stderr
    assert f"release create v{engine.__version__} --draft" in done.stdout
    notes = (tmp_path / "notes.md").read_text("utf-8")
    assert "- " in notes
    assert "## " not in notes


def test_a_tag_of_another_version_is_not_released(root: Path, tmp_path: Path) -> None:
    done = released(root, tmp_path, "v99.0.0")
    assert done.returncode != 0
    assert done.stdout == ""
