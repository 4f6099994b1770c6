import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { WireAnswer } from '../http/apiGatewayAnswer.ts'

const own = new URL('./', import.meta.url)
const viewer = new URL('./', pathToFileURL(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')))

const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'
const files = [
  { path: '/_local/docs', file: new URL('page.html', own), type: 'text/html; charset=utf-8' },
  { path: '/_local/docs/page.js', file: new URL('page.js', own), type: script },
  { path: '/_local/docs/scheme.js', file: new URL('scheme.js', own), type: script },
  { path: '/_local/docs/page.css', file: new URL('page.css', own), type: style },
  { path: '/_local/docs/swagger-ui-bundle.js', file: new URL('swagger-ui-bundle.js', viewer), type: script },
  { path: '/_local/docs/swagger-ui.css', file: new URL('swagger-ui.css', viewer), type: style },
] as const

/** Swagger UI sets inline styles and loads icons from `data:`. This stack serves the rest. */
const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** `GET /_local/docs`: the API's document in Swagger UI, Billing first, signed in as a demo user. */
export const docsControls: Readonly<Record<string, () => Promise<WireAnswer>>> = Object.fromEntries(
  files.map(({ path, file, type }) => [`GET ${path}`, async () => answer(await readFile(file), type)]),
)

function answer(body: Buffer, type: string): WireAnswer {
  const headers = {
    'content-type': type,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  }
  return { status: 200, headers, body }
}
