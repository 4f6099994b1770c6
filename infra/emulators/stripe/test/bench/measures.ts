import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromiumPath, launchChromium } from '../support/launchChromium.ts'
import { withClient } from './openClient.ts'

/** What is measured, and the result in words. Undefined if a program is lacking. */
export interface Measure {
  readonly name: string
  readonly run: () => Promise<string | undefined>
}

const packProgram = fileURLToPath(new URL('../../server/packEmulator.ts', import.meta.url))

/** The smallest value that this share of all does not exceed. */
function share(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN
}

/** Milliseconds from the spawn of the command to its last line. */
async function startOnce(command: string): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, [command, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    said += text
    if (/ {2}data /.test(said)) break
  }
  const took = performance.now() - began
  const closed = once(child, 'close')
  child.kill()
  await closed
  return took
}

async function start(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-emulator-bench-'))
  try {
    const pack = ['--no-warnings', packProgram, folder]
    const tarball = execFileSync(process.execPath, pack, { encoding: 'utf8' }).trim()
    execFileSync('tar', ['-xzf', tarball, '-C', folder])
    const command = join(folder, 'package/server/cli.js')
    const first = await startOnce(command)
    const times: number[] = []
    for (const _ of Array(15)) times.push(await startOnce(command))
    return `${share(times, 0.5).toFixed(0)} ms (the first time, when Node compiles it, ${first.toFixed(0)} ms)`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function subscription(): Promise<string> {
  return withClient(async (client) => {
    const times: number[] = []
    for (const index of Array(1100).keys()) {
      const customer = await client.newCustomer()
      const began = performance.now()
      await client.subscribe(customer)
      // The first hundred are compiled meanwhile.
      if (index >= 100) times.push(performance.now() - began)
    }
    const [early, late] = [times.slice(0, 100), times.slice(-100)].map((some) => share(some, 0.5).toFixed(1))
    return `${share(times, 0.5).toFixed(1)} ms, 95 % under ${share(times, 0.95).toFixed(1)} ms (${early} ms with 100 subscriptions, ${late} ms with 1,000)`
  })
}

/** Requests of a hundred customers with a subscription each that leave nothing new: reads, refusals and repetitions. */
function memory(): Promise<string> {
  return withClient(async (client) => {
    const customers: string[] = []
    for (const index of Array(100).keys()) {
      const customer = await client.newCustomer()
      await client.subscribe(customer)
      await client.send('POST', `/v1/customers/${customer}`, { name: 'Ada' }, `name-${index}`)
      customers.push(customer)
    }
    const round = async () => {
      for (const [index, customer] of customers.entries()) {
        await client.send('GET', `/v1/customers/${customer}`)
        await client.send('GET', `/v1/subscriptions?customer=${customer}`)
        await client.send('POST', `/v1/customers/${customer}`, { name: 'Ada' }, `name-${index}`)
        await client.send('POST', '/v1/subscriptions', { customer, items: [{ price: 'price_unknown' }] }, `no-${index}`)
      }
    }
    const heaps: number[] = []
    for (const _ of Array(10)) {
      for (const __ of Array(25)) await round()
      heaps.push((await client.heap()) / 1e6)
    }
    const [first = 0, ...later] = heaps
    const [last = 0] = later.slice(-1)
    return `heap of ${first.toFixed(1)} MB after 10^4, ${last.toFixed(1)} MB after 10^5, ${Math.max(...later).toFixed(1)} MB at most`
  })
}

async function idlePage(): Promise<string | undefined> {
  if (chromiumPath === undefined) return undefined
  const browser = await launchChromium(chromiumPath)
  try {
    return await withClient(async (client) => {
      for (const _ of Array(5)) await client.subscribe(await client.newCustomer())
      const page = await browser.newPage()
      await page.goto(`${client.url}/_emulator/`)
      await page.waitForTimeout(3000)
      const session = await page.context().newCDPSession(page)
      await session.send('Network.enable')
      let bytes = 0
      session.on('Network.loadingFinished', ({ encodedDataLength }) => {
        bytes += encodedDataLength
      })
      await page.waitForTimeout(60_000)
      return `${(bytes / 1000).toFixed(1)} KB a minute`
    })
  } finally {
    await browser.close()
  }
}

/** The figures of the README. */
export const measures: readonly Measure[] = [
  { name: 'start of the installed command, to its last line', run: start },
  { name: 'a subscription created over HTTP, with its invoice, payment and events', run: subscription },
  { name: 'memory over 10^5 reads, refusals and repetitions; the log keeps 25,000 to 50,000 of them', run: memory },
  { name: 'the page, idle in Chromium', run: idlePage },
]
