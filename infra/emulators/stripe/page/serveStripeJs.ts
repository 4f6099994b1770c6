import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { corsHeaders } from '../wire/cors.ts'
import { contentType, type PageAnswer } from './servePage.ts'

const folder = new URL('../stripe-js/', import.meta.url)

/** The files of Stripe.js by path: the script of a page, under both of the names that Stripe gives it, and the frames that it opens. */
const files: Record<string, string> = {
  '/v3/': 'script.ts',
  '/v3': 'script.ts',
  '/endive/stripe.js': 'script.ts',
  '/v3/card.html': 'card.html',
  '/v3/card.js': 'cardFrame.ts',
  '/v3/card.css': 'card.css',
  '/v3/challenge.html': 'challenge.html',
  '/v3/challenge.js': 'challengeFrame.ts',
  '/v3/challenge.css': 'challenge.css',
}

/** The scripts, which are bundled before they are sent. */
export const scripts: readonly string[] = [...new Set(Object.values(files).filter((file) => file.endsWith('.ts')))]

const bundles = new Map<string, Promise<string>>()

/** The source of a file. A script is bundled when it is first asked for, unless it was bundled for the package. */
function textOf(source: string): Promise<string> {
  if (!source.endsWith('.ts')) return readFile(new URL(source, folder), 'utf8')
  const packed = new URL(source.replace(/ts$/, 'js'), folder)
  const bundle = bundles.get(source) ?? (existsSync(packed) ? readFile(packed, 'utf8') : bundledScript(source))
  bundles.set(source, bundle)
  return bundle
}

/** The text of a script with all that it imports. */
export async function bundledScript(source: string): Promise<string> {
  // Loaded only when a browser asks: most starts never need it.
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(source, folder))],
    bundle: true,
    write: false,
    // A page's script is plain, so that it can find its own address; the scripts of the frames are modules.
    format: source === 'script.ts' ? 'iife' : 'esm',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

/** Answers a `GET` for Stripe.js or a file of its frames; otherwise undefined. Frames load nothing from elsewhere. */
export async function serveStripeJs(path: string): Promise<PageAnswer | undefined> {
  const source = Object.hasOwn(files, path) ? files[path] : undefined
  if (source === undefined) return undefined
  return {
    status: 200,
    headers: {
      ...corsHeaders,
      'content-type': contentType(source.replace('.ts', '.js')),
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'no-store',
    },
    body: await textOf(source),
  }
}
