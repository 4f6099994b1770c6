import { branding } from '../../lib/core/branding.ts'

/** Where the pages of the tests lead to that did not begin at an application. */
export const APPLICATION_URL = 'https://console.example.com/app'

/** The branding of a stage that chooses nothing. */
export const plainBranding = branding.parse({ applicationUrl: APPLICATION_URL })
