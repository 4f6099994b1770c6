import * as z from 'zod/mini'
import { contrastOf } from './contrast.ts'

/** The background of text on pages and in mails, by mode. */
export const cardColors = { light: '#ffffff', dark: '#19212b' } as const

/** WCAG 2.2 AA, normal text. */
const MIN_CONTRAST = 4.5

/** A color for links and buttons that is readable on the card. */
function accentOn(card: string) {
  return z.string().check(
    z.toLowerCase(),
    z.regex(/^#[0-9a-f]{6}$/),
    z.refine((color) => contrastOf(color, card) >= MIN_CONTRAST, {
      error: `The contrast with the card (${card}) is under ${MIN_CONTRAST}:1`,
    }),
  )
}

const webPage = z.url({ protocol: /^https$/ })

/** The application may also run on the developer's machine. */
const application = z.union([webPage, z.url({ protocol: /^http$/, hostname: /^(localhost|127\.0\.0\.1|\[::1\])$/ })])

/** Pages load nothing, so the setting contains the picture. */
const picture = z.union([
  z.string().check(z.regex(/^data:image\/(svg\+xml|png|webp);base64,[A-Za-z0-9+/]+=*$/)),
  z.pipe(
    z.string().check(z.regex(/^<svg\s.*<\/svg>$/s)),
    z.transform((svg) => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`),
  ),
])

/** Lambda allows 4 KiB for all variables together, of which two public keys and the names of tables need nearly half. */
export const MAX_BRANDING_BYTES = 2000

/** What pages and mails look like, and where they link to. */
export const branding = z
  .strictObject({
    /** The name of the product, in the header of pages and the last line of mails. */
    name: z._default(z.string().check(z.regex(/^[^\p{Cc}<>]{1,40}$/u)), 'Console'),
    /** `<svg ...>` or a data URL of an SVG, PNG or WebP picture, shown beside the name: as a picture, so that no script in it runs. */
    logo: z.optional(picture),
    colors: z._default(
      z.strictObject({
        accent: z.strictObject({ light: accentOn(cardColors.light), dark: accentOn(cardColors.dark) }),
      }),
      { accent: { light: '#1f56d6', dark: '#86aefc' } },
    ),
    supportUrl: z.optional(webPage),
    supportEmail: z.optional(z.email()),
    termsUrl: z.optional(webPage),
    privacyUrl: z.optional(webPage),
    /** The link of pages that were not opened from an application. */
    applicationUrl: application,
    /** The sender's name in mails. ASCII, because it is part of a header. */
    senderName: z._default(z.string().check(z.regex(/^[A-Za-z0-9 ]{1,40}$/)), 'Console'),
  })
  .check(
    z.refine((settings) => Buffer.byteLength(JSON.stringify(settings)) <= MAX_BRANDING_BYTES, {
      error: `A branding of more than ${MAX_BRANDING_BYTES} bytes is too large for a function’s variables: use a smaller logo`,
    }),
  )

export type Branding = Readonly<z.infer<typeof branding>>
