import { expectedStatusOf, listSampleEvents } from '../local/samples/sampleEvent.ts'
import { manifest } from '../manifest.ts'

/** The table of `events/README.md`: every sample event with the status that it is answered with. */
export async function renderEvents(): Promise<string> {
  const files = (await Promise.all(manifest.map(({ name }) => listSampleEvents(name)))).flat()
  const lines = await Promise.all(
    files.map(async (file) => `| [\`${file}\`](${file}) | ${await expectedStatusOf(file)} |`),
  )
  return ['| event | status |', '|---|---|', ...lines].join('\n')
}
