import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { type BrowserContext, chromium } from 'playwright-core'
import * as z from 'zod'
import type { LocalInfo } from '../../../infra/local/info.ts'
import { localClient } from '../../../infra/local/localClient.ts'
import { startStack } from '../../../infra/local/stack.ts'
import { findChromium } from '../../support/browser/browser.ts'

// `npm run lighthouse [-- PAGE ... --desktop --runs N]`: Lighthouse on a stack of its own, as on a slow phone unless `--desktop` says
// otherwise. npx fetches Lighthouse, which is no dependency because it is big. Other programs only make a page slower, so the best of N runs
// counts. Exits with 1 if a figure is below the limit, and with 2 if Lighthouse or a browser is missing.
const LIGHTHOUSE = 'lighthouse@13.5.0'
const LIMIT = 95
const categories = ['performance', 'accessibility', 'best-practices'] as const

const run = promisify(execFile)
const report = z.object({
  categories: z.record(z.string(), z.object({ score: z.nullable(z.number()) })),
  audits: z.record(z.string(), z.looseObject({ displayValue: z.optional(z.string()) })),
})

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { desktop: { type: 'boolean', default: false }, runs: { type: 'string', default: '1' } },
})
const wanted = (name: string) => positionals.length === 0 || positionals.includes(name)

/** The best report of a page of several. */
async function examine(url: string, port: number, folder: string) {
  let best: z.infer<typeof report> | undefined
  for (let run = 0; run < Number(values.runs); run += 1) {
    const next = await examineOnce(url, port, folder)
    const score = ({ categories: { performance } }: z.infer<typeof report>) => performance?.score ?? 0
    if (best === undefined || score(next) > score(best)) best = next
  }
  if (best === undefined) throw new Error('--runs is a number from 1')
  return best
}

/** The report of a page in the browser that runs, with its cookies and storage. */
async function examineOnce(url: string, port: number, folder: string) {
  const path = join(folder, 'report.json')
  const options = ['--output=json', `--output-path=${path}`, '--quiet', `--only-categories=${categories.join()}`]
  const form = values.desktop ? ['--preset=desktop'] : []
  await run('npx', ['--yes', LIGHTHOUSE, url, `--port=${port}`, '--disable-storage-reset', ...options, ...form])
  return report.parse(JSON.parse(await readFile(path, 'utf8')))
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = z.object({ port: z.int() }).parse(server.address())
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The pages that are examined; the hosted page first, because it is for somebody who is not signed in. */
async function* pagesOf(context: BrowserContext, info: LocalInfo): AsyncGenerator<readonly [string, string]> {
  const page = await context.newPage()
  yield ['landing', `${info.base_url}/`]
  await page.goto(`${info.base_url}/_local/console/`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('input[type=password]').waitFor()
  yield ['sign-in', page.url()]
  const { email, password } = info.demo.owner
  await page.getByLabel('Email address').fill(email)
  await page.locator('input[type=password]').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Your organizations' }).waitFor()
  const client = localClient(info)
  const organizationId = info.demo.organization_id
  const token = await client.accessToken('owner')
  const payment_method_id = await client.addCard({ token, organizationId, testCard: 'pm_card_visa' })
  const body = { product_codes: ['base_ota'], payment_method_id }
  await client.send({ method: 'POST', path: `/api/billing/checkout?organization_id=${organizationId}`, token, body })
  yield ['products', `${info.base_url}/_local/console/organizations/${organizationId}/products`]
  yield ['overview', `${info.base_url}/_local/console/organizations/${organizationId}`]
  yield ['emulator', `${info.stripe.api_base}/_emulator/`]
}

const executablePath = findChromium()
if (executablePath === undefined) throw new Error('no Chromium found: set CHROMIUM_PATH or install chromium')
const folder = await mkdtemp(join(tmpdir(), 'lighthouse-'))
const port = await freePort()
const stack = await startStack({ quiet: true, schedules: false })
const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
  executablePath,
  locale: 'en-US',
  args: ['--no-sandbox', `--remote-debugging-port=${port}`],
})
try {
  const titles = ['page', ...categories, 'largest paint', 'blocked', 'shift']
  console.log(titles.map((title) => title.padEnd(16)).join(''))
  for await (const [name, url] of pagesOf(context, stack.info)) {
    if (!wanted(name)) continue
    const { categories: scores, audits } = await examine(url, port, folder)
    const figures = categories.map((category) => Math.round((scores[category]?.score ?? 0) * 100))
    const seen = ['largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'].map(
      (id) => audits[id]?.displayValue ?? '?',
    )
    console.log([name, ...figures.map(String), ...seen].map((cell) => cell.padEnd(16)).join(''))
    if (figures.some((figure) => figure < LIMIT)) process.exitCode = 1
  }
} catch (error) {
  console.error(`Lighthouse could not be run: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 2
} finally {
  await context.close()
  await stack.close()
  await rm(folder, { recursive: true, force: true })
}
process.exit()
