"""JAX's classes of layouts, by the names that they have since 0.7."""

from jax.experimental import layout as jax_layout

Format = jax_layout.Format
# Layout was another name of Format before.
Layout = getattr(jax_layout, "DeviceLocalLayout", None) or jax_layout.Layout


def layout_in(of_jax):
    """The Layout in a Format."""
    return of_jax.layout if hasattr(of_jax, "layout") else of_jax.device_local_layout
