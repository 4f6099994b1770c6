import { parseArgs, styleText } from 'node:util'
import { playStory } from './demo/playStory.ts'
import { printExchange } from './demo/printExchange.ts'
import type { Narrator } from './demo/scene.ts'
import { findStack } from './localClient.ts'
import { startStack } from './stack.ts'

const narrator: Narrator = {
  title: (text) => console.log(`\n${styleText('bold', text)}`),
  note: (text) => console.log(styleText('dim', text.replaceAll(/^/gm, '  '))),
  exchange: (request, answer) => console.log(printExchange(request, answer)),
}

/**
 * `npm run demo [-- --port N | --base URL]`: plays the demo on a stack of its own, on free ports, unless an option or the variable `PORT`
 * names a running stack. Says at its end what it left there. Exits with 1 at the first unexpected answer.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string' }, base: { type: 'string' } } })
  const named = values.port ?? (process.env.PORT || undefined)
  const baseUrl = values.base ?? (named && `http://localhost:${named}`)
  const running = baseUrl === undefined ? undefined : await findStack(baseUrl)
  if (baseUrl !== undefined && running === undefined)
    throw new Error(`no local stack answers at ${baseUrl}: without --port the demo plays on a stack of its own`)
  const own = running ? undefined : await startStack({ quiet: true, events: true })
  const info = running ?? own?.info
  if (info === undefined) throw new Error('no stack to run the demo on')
  console.log(styleText('dim', running ? `Using the stack at ${baseUrl}` : `Started a stack at ${info.base_url}`))
  try {
    await playStory(info, narrator)
    console.log(styleText(['bold', 'green'], '\nEvery answer was as expected.'))
    console.log(
      running ? leftBehind(info.base_url) : 'The demo played on a stack of its own, which has ended: it left nothing.',
    )
  } finally {
    await own?.close()
  }
}

function leftBehind(baseUrl: string): string {
  return [
    `The demo left the organization “Harbour Robotics” of the demo's owner, and a clock that is 32 days ahead: codes of an authenticator app`,
    `are refused until it is reset. The console and the sign-in pages have a button for that, as has: curl -X POST ${baseUrl}/_local/clock/reset`,
  ].join('\n')
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(styleText('red', error instanceof Error ? error.message : String(error)))
    process.exit(1)
  },
)
