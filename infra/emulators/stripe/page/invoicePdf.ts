/** What the font of the PDF can show; other characters become a question mark. */
function latin(text: string): string {
  return text.replaceAll(/[^\u0020-\u007e\u00a0-\u00ff]/g, '?').replaceAll(/[\\()]/g, String.raw`\$&`)
}

/** Lines of text per page. */
const linesPerPage = 45

/** A PDF of plain lines of text (ISO 32000-1): a catalog, a font, and a page with its content for every 45 lines. */
export function invoicePdf(lines: readonly string[]): Buffer {
  const pages = Array.from({ length: Math.max(1, Math.ceil(lines.length / linesPerPage)) }, (_none, index) =>
    lines.slice(index * linesPerPage, (index + 1) * linesPerPage),
  )
  const first = 4
  const kids = pages.map((_page, index) => `${first + 2 * index} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((page, index) => {
      const text = page.map((line) => `(${latin(line)}) Tj T*`).join('\n')
      const content = `BT /F1 11 Tf 16 TL 56 780 Td\n${text}\nET`
      const resources = '/MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >>'
      return [
        `<< /Type /Page /Parent 2 0 R ${resources} /Contents ${first + 1 + 2 * index} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(body + table + trailer, 'latin1')
}
