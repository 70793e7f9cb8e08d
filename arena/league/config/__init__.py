"""The league's file: its keys, its checks, its students."""
