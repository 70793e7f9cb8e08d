from .plan import Packed

__all__ = ["Packed"]
