"""What the Hub says of repositories, asked with its own client and taken for no more than it is."""

from __future__ import annotations

import json
from typing import Any

from huggingface_hub import ModelInfo, get_session, hf_raise_for_status

from engine.api import Network
from engine.errors import EngineError
from engine.hub.faults import TROUBLE, listing_error
from engine.hub.network import STALL_S, hub_api

CONFIG = "config.json"
_LONGEST_CONFIG = 1 << 20
# What is asked for of each model that a search finds.
_TOLD = ("cardData", "config", "gated", "pipeline_tag", "safetensors", "sha", "siblings", "tags")


def read_listing(network: Network, repo: str, revision: str) -> ModelInfo:
    """What the Hub tells of `repo` at `revision`, with its files and their sizes.

    Raises EngineError where it cannot be had."""
    try:
        info = hub_api(network).model_info(
            repo, revision=revision, files_metadata=True, timeout=STALL_S
        )
        return _typed(info)
    except TROUBLE as error:
        raise listing_error(error, network, repo, revision) from error


def read_config(network: Network, info: ModelInfo) -> dict[str, Any]:
    """The repository's config.json as the listing gives it, which is a part of it; the file itself
    where the listing does not name the model's type. Raises EngineError."""
    if info.config and "model_type" in info.config:
        return info.config
    url = f"{network.endpoint}/{info.id}/resolve/{info.sha}/{CONFIG}"
    try:
        response = _get(network, url, {})
        text = response.content
        value = json.loads(text) if len(text) <= _LONGEST_CONFIG else None
    except TROUBLE as error:
        raise listing_error(error, network, info.id, info.sha or "") from error
    if not isinstance(value, dict):
        detail = "it is not an object"
        raise EngineError("corrupt", file=f"{info.id}/{CONFIG}", format="JSON", detail=detail)
    return value


def find_models(network: Network, words: str, tag: str, limit: int) -> list[ModelInfo]:
    """The models whose names have the `words` and that bear the `tag` (empty: any), the most
    downloaded first. Raises EngineError."""
    query: dict[str, Any] = {
        "search": words, "sort": "downloads", "limit": limit, "expand": list(_TOLD),
    }  # fmt: skip
    if tag:
        query["filter"] = tag
    try:
        # HfApi.list_models would ask for half a minute before it said that there is no network.
        items = _get(network, f"{network.endpoint}/api/models", query).json()
        parse: Any = ModelInfo
        return [_typed(parse(**item)) for item in items[:limit]]
    except TROUBLE as error:
        raise listing_error(error, network) from error


def _typed(info: ModelInfo) -> ModelInfo:
    """The listing with nothing in it that is of another type than it says; its `config` is there,
    and holds a model type only where that is one. Raises ValueError where it names no model."""
    if not isinstance(info.id, str):
        raise ValueError("a model without a name")
    config = dict(info.config) if isinstance(info.config, dict) else {}
    if not isinstance(config.get("model_type"), str):
        config.pop("model_type", None)
    info.config = config
    info.tags = [tag for tag in _list(info.tags) if isinstance(tag, str)]
    if not isinstance(info.pipeline_tag, str):
        info.pipeline_tag = None
    if info.safetensors and not isinstance(info.safetensors.parameters, dict):
        info.safetensors = None
    return info


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _get(network: Network, url: str, query: dict[str, Any]) -> Any:
    """The Hub's answer, over the client that `hub_api` sets up."""
    hub_api(network)
    headers = {"Authorization": f"Bearer {network.token}"} if network.token else {}
    response = get_session().get(url, params=query, headers=headers)
    hf_raise_for_status(response)
    return response
