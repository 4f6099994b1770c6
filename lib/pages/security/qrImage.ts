import { type Html, html } from '../../core/html.ts'

/** Light modules around a code, without which cameras do not find it (ISO/IEC 18004 §6.3.8). */
const QUIET_ZONE = 4

/** A QR code as an image of its modules, dark on light in dark mode too. @param label what it is, for screen readers */
export function qrImage(modules: readonly (readonly boolean[])[], label: string): Html {
  const size = modules.length + 2 * QUIET_ZONE
  const squares = modules.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`] : [])),
  )
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"></rect><path fill="#000" d="${squares.join('')}"></path></svg>`
}
