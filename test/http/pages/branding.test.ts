import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { type Branding, branding, cardColors } from '../../../lib/core/branding.ts'
import { contrastOf, mixColors } from '../../../lib/core/contrast.ts'
import type { HttpEvent } from '../../../lib/http/contract.ts'
import { lookFor } from '../../../lib/pages/kit/look.ts'
import { messagePage } from '../../../lib/pages/kit/messagePage.ts'
import { applicationStep } from '../../../lib/pages/kit/nextStep.ts'
import { pageAnswer } from '../../../lib/pages/kit/pageAnswer.ts'
import { pageStyle } from '../../../lib/pages/kit/pageStyle.ts'

const applicationUrl = 'https://console.example.com'
const withAccent = (light: string, dark: string) => ({ applicationUrl, colors: { accent: { light, dark } } })
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>'

describe('The contrast of two colors', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    // As WebAIM's contrast checker says.
    ['#767676', '#ffffff', 4.54],
    ['#777777', '#ffffff', 4.48],
    ['#0000ff', '#ffffff', 8.59],
  ])('of %s and %s is %d to 1 (WCAG 2.2)', (one, other, ratio) => {
    expect(contrastOf(one, other)).toBeCloseTo(ratio, 2)
    expect(contrastOf(other, one)).toBe(contrastOf(one, other))
  })
})

describe('A branding', () => {
  it('needs no more than the application’s address', () => {
    expect(branding.parse({ applicationUrl })).toEqual({
      applicationUrl,
      name: 'Console',
      senderName: 'Console',
      colors: { accent: { light: '#1f56d6', dark: '#86aefc' } },
    })
  })

  it('is the same when it is parsed again, as functions do with what a stage says', () => {
    const once = branding.parse({ ...withAccent('#7A1FA2', '#CE93D8'), logo: svg, supportEmail: 'help@example.com' })
    expect(branding.parse(JSON.parse(JSON.stringify(once)))).toEqual(once)
  })

  it.each([
    ['light', withAccent('#777777', '#86aefc'), 'contrast'],
    ['dark', withAccent('#1f56d6', '#1f56d6'), 'contrast'],
  ])('is refused with an accent that cannot be read in %s mode', (_, settings, problem) => {
    expect(() => branding.parse(settings)).toThrow(problem)
  })

  it.each(['red', '#12345', '#1f56d6;}', 'rgb(0,0,0)'])('is refused with the color %s', (color) => {
    expect(branding.safeParse(withAccent(color, '#86aefc')).success).toBe(false)
  })

  it.each(['javascript:alert(1)', 'http://console.example.com', 'ftp://example.com', '/console', ''])(
    'is refused with the application %j',
    (url) => expect(branding.safeParse({ applicationUrl: url }).success).toBe(false),
  )

  it.each(['http://127.0.0.1:3000/_local/console', 'http://localhost:5173', 'https://a.example/b?c=d'])(
    'takes the application %s',
    (url) => expect(branding.parse({ applicationUrl: url }).applicationUrl).toBe(url),
  )

  it.each([
    ['a picture elsewhere', 'https://example.com/logo.png'],
    ['HTML', 'data:text/html;base64,PGI+'],
    ['text that ends an attribute', 'data:image/png;base64,"><script>'],
  ])('is refused with a logo that is %s', (_, logo) => {
    expect(branding.safeParse({ applicationUrl, logo }).success).toBe(false)
  })

  it('makes a picture of an SVG, and refuses one that does not fit into a function’s variables', () => {
    const { logo = '' } = branding.parse({ applicationUrl, logo: svg })
    expect(logo).toBe(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`)
    expect(() => branding.parse({ applicationUrl, logo: svg.replace('M0', 'M0 0'.repeat(800)) })).toThrow(
      'smaller logo',
    )
  })

  it.each([
    ['#1f56d6', '#86aefc'],
    ['#767676', '#7f8a96'],
    ['#000000', '#ffffff'],
  ])('in %s and %s can be read on buttons too, also below the pointer', (light, dark) => {
    const style = pageStyle(branding.parse(withAccent(light, dark)))
    const colors = [...style.matchAll(/--(accent|accent-hover|on-accent): (#\w{6})/g)].map(([, , color = '']) => color)
    expect(colors).toEqual([
      light,
      mixColors(light, '#000000', 0.18),
      '#ffffff',
      dark,
      mixColors(dark, '#ffffff', 0.25),
      '#0d1b36',
    ])
    const [accent = '', hover = '', text = '', darkAccent = '', darkHover = '', darkText = ''] = colors
    for (const [one, other] of [
      [accent, text],
      [hover, text],
      [darkAccent, darkText],
      [darkHover, darkText],
      [accent, cardColors.light],
      [darkAccent, cardColors.dark],
    ] as const)
      expect(contrastOf(one, other)).toBeGreaterThanOrEqual(4.5)
    expect(style).not.toMatch(/[&<>"']/)
  })
})

describe('A page of a stage with a branding', () => {
  const event = z.custom<HttpEvent>().parse({ rawQueryString: '', headers: {} })
  const links = {
    supportEmail: 'hilfe@example.com',
    termsUrl: 'https://example.com/agb',
    privacyUrl: 'https://example.com/datenschutz',
  }
  const answerOf = (settings: Partial<Branding>) => {
    const look = lookFor(branding.parse({ applicationUrl, ...settings }), event, 'ui_locales=de')
    const message = { title: 'Titel', text: 'Text', next: applicationStep(look) }
    const { headers = {}, body = '' } = pageAnswer(look, { status: 200, page: messagePage(look, message) })
    return { policy: String(headers['content-security-policy']), body }
  }

  it('has its name, logo, colors and links, and its policy allows the style and the picture', () => {
    const colors = { accent: { light: '#7a1fa2', dark: '#ce93d8' } }
    const { policy, body } = answerOf({ name: 'Rakete & Söhne', logo: svg, colors, ...links })
    expect(body).toContain('<title>Titel · Rakete &amp; Söhne</title>')
    expect(body).toMatch(
      /<header class="brand"><img src="data:image\/svg\+xml;base64,[\w+/=]+" alt="">Rakete &amp; Söhne</,
    )
    expect([...body.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, href, label]) => [label, href])).toEqual([
      ['Hilfe', 'mailto:hilfe@example.com'],
      ['AGB', links.termsUrl],
      ['Datenschutz', links.privacyUrl],
    ])
    const style = /<style>([^<]*)<\/style>/.exec(body)?.[1] ?? ''
    expect(style).toContain('--accent: #7a1fa2')
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`)
    expect(policy).toContain('img-src data:')
  })

  it('loads no picture and has no footer where the stage names none', () => {
    const { policy, body } = answerOf({})
    expect(policy).not.toContain('img-src')
    expect(body).not.toMatch(/<img|<footer/)
    expect(body).toContain(`<a class="button" href="${applicationUrl}/">Console öffnen</a>`)
  })
})
