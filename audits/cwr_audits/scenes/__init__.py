"""Scenes: tasks that are shown as pictures. A scene draws its instances from seeds, renders them, and keeps evidence of
them; what is true of an instance is judged by its world (cyclic_order by CO), never by the scene."""
