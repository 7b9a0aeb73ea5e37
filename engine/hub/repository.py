"""stub"""

from engine.api import Network, RemoteFile, Repository
from engine.hub.network import hub_api


def look_up(network: Network, repo: str, revision: str = "main") -> Repository:
    info = hub_api(network).model_info(repo, revision=revision, files_metadata=True)
    files = tuple(
        RemoteFile(
            name=s.rfilename,
            size=s.size or 0,
            sha256=s.lfs.sha256 if s.lfs else "",
            git_id=(s.blob_id or "") if not s.lfs else "",
        )
        for s in info.siblings or []
    )
    return Repository(repo=repo, revision=info.sha or "", files=files)
