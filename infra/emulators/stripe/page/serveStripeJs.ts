import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { corsHeaders } from '../wire/cors.ts'
import type { PageAnswer } from './servePage.ts'

const folder = new URL('../stripe-js/', import.meta.url)
const script = 'text/javascript; charset=utf-8'

/** The files of Stripe.js by path: the script of a page, under both of the names that Stripe gives it, and the frames that it opens. */
const files: Record<string, { source: string; type: string }> = {
  '/v3/': { source: 'script.ts', type: script },
  '/v3': { source: 'script.ts', type: script },
  '/endive/stripe.js': { source: 'script.ts', type: script },
  '/v3/card.html': { source: 'card.html', type: 'text/html; charset=utf-8' },
  '/v3/card.js': { source: 'cardFrame.ts', type: script },
  '/v3/card.css': { source: 'card.css', type: 'text/css; charset=utf-8' },
  '/v3/challenge.html': { source: 'challenge.html', type: 'text/html; charset=utf-8' },
  '/v3/challenge.js': { source: 'challengeFrame.ts', type: script },
  '/v3/challenge.css': { source: 'challenge.css', type: 'text/css; charset=utf-8' },
}

const bundles = new Map<string, Promise<string>>()

/** The source of a file; a script is bundled when it is first asked for. */
function textOf(source: string): Promise<string> {
  if (!source.endsWith('.ts')) return readFile(new URL(source, folder), 'utf8')
  const bundle = bundles.get(source) ?? bundled(source)
  bundles.set(source, bundle)
  return bundle
}

async function bundled(source: string): Promise<string> {
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
  const file = Object.hasOwn(files, path) ? files[path] : undefined
  if (file === undefined) return undefined
  return {
    status: 200,
    headers: {
      ...corsHeaders,
      'content-type': file.type,
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'no-store',
    },
    body: await textOf(file.source),
  }
}
