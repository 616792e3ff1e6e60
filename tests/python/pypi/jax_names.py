"""JAX's classes of layouts, by the names that they have since 0.7."""

from jax.experimental import layout as jax_layout

Format = jax_layout.Format
# Layout was another name of Format before.
Layout = getattr(jax_layout, "DeviceLocalLayout", None) or jax_layout.Layout
