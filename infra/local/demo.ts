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
 * `npm run demo [-- --port N | --base URL]`: runs the demo against a running stack, or starts a stack on free ports if none answers.
 * Exits with 1 at the first unexpected answer.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string' }, base: { type: 'string' } } })
  const baseUrl = values.base ?? `http://127.0.0.1:${values.port ?? (process.env.PORT || '3000')}`
  const running = await findStack(baseUrl)
  const own = running ? undefined : await startStack({ quiet: true })
  const info = running ?? own?.info
  if (info === undefined) throw new Error('no stack to run the demo on')
  console.log(styleText('dim', running ? `Using the stack at ${baseUrl}` : `Started a stack at ${info.base_url}`))
  try {
    await playStory(info, narrator)
    console.log(styleText(['bold', 'green'], '\nEvery answer was as expected.'))
  } finally {
    await own?.close()
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(styleText('red', error instanceof Error ? error.message : String(error)))
    process.exit(1)
  },
)
