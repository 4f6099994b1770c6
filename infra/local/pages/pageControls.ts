import { readFile } from 'node:fs/promises'
import { branding } from '../../../lib/core/branding.ts'
import { pageStyle } from '../../../lib/pages/kit/pageStyle.ts'
import type { WireAnswer } from '../http/apiGatewayAnswer.ts'
import { LOCAL_STYLE, localAnswer } from './localPage.ts'

const read = (name: string) => readFile(new URL(name, import.meta.url), 'utf8')

/** The default branding. No local page uses the address. */
const style = pageStyle(branding.parse({ applicationUrl: 'http://127.0.0.1' }))

/** The files that every local page loads: the hosted pages' style with local additions, the script, the icon. */
export const pageControls: Readonly<Record<string, () => Promise<WireAnswer>>> = {
  [`GET ${LOCAL_STYLE}`]: async () => localAnswer(style + (await read('local.css')), 'text/css; charset=utf-8'),
  'GET /_local/pages/copy.js': async () => localAnswer(await read('copy.js'), 'text/javascript; charset=utf-8'),
  'GET /_local/pages/icon.svg': async () => localAnswer(await read('icon.svg'), 'image/svg+xml'),
}
