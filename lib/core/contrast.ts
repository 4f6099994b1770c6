/** Red, green and blue of `#rrggbb`, each 0 to 255. */
function channelsOf(color: string): [number, number, number] {
  const at = (start: number) => Number.parseInt(color.slice(start, start + 2), 16)
  return [at(1), at(3), at(5)]
}

/** WCAG 2.2, relative luminance: 0 for black to 1 for white. */
function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

/** WCAG 2.2, contrast ratio of two colors `#rrggbb`: from 1 if they are equal to 21 for black on white. Text needs 4.5. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** A color `#rrggbb` mixed with a share of another color: 0 keeps it, 1 is the other color. */
export function mixColors(color: string, other: string, share: number): string {
  const [from, to] = [channelsOf(color), channelsOf(other)]
  const mixed = from.map((channel, at) => Math.round(channel + ((to[at] ?? 0) - channel) * share))
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
