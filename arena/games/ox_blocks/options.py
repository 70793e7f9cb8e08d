"""What a league may set in OX Blocks."""

from typing import Annotated, Literal

from msgspec import Meta

from arena.games.options import Options

_Faces = Annotated[int, Meta(ge=1)]
_OpenFaces = Annotated[int, Meta(ge=0)]


class OXBlocksOptions(Options, frozen=True):
    """The options of OX Blocks."""

    size: Annotated[
        Literal[3, 4],
        Meta(description="Cells a side, which is also the length of a line (37)"),
    ] = 3
    faces: Annotated[
        tuple[_Faces, _Faces, _OpenFaces],
        Meta(description="Faces of a block that show X, O and open (37)"),
    ] = (2, 2, 2)
    removal: Annotated[
        Literal["optional", "must"],
        Meta(description="Whether open may or must remove the other's block (39)"),
    ] = "optional"
