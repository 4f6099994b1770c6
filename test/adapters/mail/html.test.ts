import { describe, expect, it } from '@jest/globals'
import { type HtmlValue, html } from '../../../lib/core/html.ts'

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '" onmouseover="alert(1)',
  "' onfocus='alert(1)",
  '</title><svg onload=alert(1)>',
  '<!--',
  ']]><x>',
  '&lt;script&gt;',
  '&#x3c;b&#x3e;',
  '\u0000<\u0000b>',
]

/** Unescapes, as a browser does. */
function read(markup: string): string {
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return markup.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => characters[name] ?? '')
}

describe('html', () => {
  // [asvs 3.2.2] [threat 79]
  it.each(hostile)('writes %j as text, between tags and in an attribute, and loses nothing of it', (value) => {
    const written = /^<p title="(.*)">(.*)<\/p>$/s.exec(html`<p title="${value}">${value}</p>`.toString())
    for (const text of [written?.[1], written?.[2]]) {
      expect(text).not.toMatch(/[<>"']/)
      expect(text).not.toMatch(/&(?!(?:lt|gt|quot|#39|amp);)/)
      expect(read(text ?? '')).toBe(value)
    }
  })

  it('takes what it made itself as it is, alone and in lists, and escapes once only', () => {
    const items = ['a & b', '<c>'].map((item) => html`<li>${item}</li>`)
    expect(html`<ul>${items}</ul>${html`<br>`}`.toString()).toBe('<ul><li>a &amp; b</li><li>&lt;c&gt;</li></ul><br>')
  })

  it('escapes what only looks like its own', () => {
    const forged = { toString: () => '<b>', markup: '<b>' }
    const made = html`<i></i>`
    expect(html`${String(forged)}`.toString()).toBe('&lt;b&gt;')
    expect(html`${String(made)}`.toString()).toBe('&lt;i&gt;&lt;/i&gt;')
  })

  it('writes nothing for false and undefined, and writes zero and the empty text', () => {
    const none: HtmlValue[] = [false, undefined]
    expect(none.map((value) => html`[${value}]`.toString())).toEqual(['[]', '[]'])
    expect(html`[${0}${''}]`.toString()).toBe('[0]')
  })
})
