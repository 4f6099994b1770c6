import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { readTokenPublicKey } from '../local/dependencies/openKms.ts'
import { dummyCredentials, functionEnvironment } from '../local/functionEnvironment.ts'
import { type LocalClient, localClient } from '../local/localClient.ts'
import { sampleOf } from '../local/samples/readSamples.ts'
import { fillSampleEvent } from '../local/samples/sampleEvent.ts'
import { startStack } from '../local/stack.ts'
import { manifest } from '../manifest.ts'
import { bundleFunctions } from './bundleFunctions.ts'
import { type ColdStart, measureColdStarts } from './coldStart.ts'
import { openFigures, renderColdFigures } from './figures.ts'
import { startSecretsOverTls } from './secretsOverTls.ts'

const document = new URL('../decisions/cold-starts.md', import.meta.url)
const region = 'us-east-1'
const httpAnswer = z.object({ statusCode: z.number() })

const bare: ColdStart = {
  name: 'bare',
  memoryMb: 512,
  timeoutSeconds: 5,
  environment: {},
  event: async () => ({}),
  check: (answer) => httpAnswer.parse(answer),
}

/**
 * `npm run bench:cold [-- --runs N --dry-run --only name,name]`: measures every function's cold start against a local stack. Writes the table into
 * `infra/decisions/cold-starts.md`, unless `--only` is given. As on AWS, functions use the machine's clock and read secrets over TLS.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '15' },
      'dry-run': { type: 'boolean', default: false },
      only: { type: 'string' },
    },
  })
  const runs = z.coerce.number().int().min(1).parse(values.runs)
  const only = values.only?.split(',')
  const dryRun = values['dry-run'] || only !== undefined
  const place = dryRun ? undefined : await openFigures(document, 'cold')

  await using cleanUp = new AsyncDisposableStack()
  const bundles = cleanUp.adopt(await bundleFunctions(), (it) => it.close())
  const { info } = cleanUp.adopt(await startStack({ quiet: true, schedules: false }), (it) => it.close())
  const client = localClient(info)
  const tokenPublicKey = await readTokenPublicKey(info.kms_endpoint, region)
  const local = functionEnvironment({ info, tokenPublicKey, clockUrl: undefined, quiet: true })
  const secrets = cleanUp.adopt(await startSecretsOverTls(local), (it) => it.close())
  const environment = { ...secrets.withArns({ ...local, ...dummyCredentials, AWS_REGION: region }), ...secrets.trust }

  const rows = manifest.filter(({ name }) => only === undefined || only.includes(name))
  const starts = new Map([
    ['bare', { ...bare, environment: secrets.trust }],
    ...(await coldStarts(rows, client, environment)),
  ])
  const times = await measureColdStarts(bundles, starts, runs)
  const table = renderColdFigures(
    times.get('bare') ?? Number.NaN,
    rows.map(({ name }) => ({
      name,
      refused: times.get(`${name} refused`),
      served: times.get(`${name} served`),
    })),
  )
  const conditions = `Median of ${runs} starts, Node ${process.versions.node}, ${process.arch}, ${availableParallelism()} cores.`
  console.log(`${table}\n\n${conditions}`)
  await place?.write(`${table}\n\n${conditions}`)
}

/** The cold starts to measure, by `<function> refused` and `<function> served`. */
async function coldStarts(
  rows: typeof manifest,
  client: LocalClient,
  environment: ColdStart['environment'],
): Promise<ReadonlyMap<string, ColdStart>> {
  const starts = new Map<string, ColdStart>()
  for (const row of rows) {
    for (const [kind, sample] of Object.entries(row.samples)) {
      const expected = sampleOf(row.name, sample).expect
      const check = (answer: unknown) => {
        // A scheduled function returns a report without a status.
        const status = httpAnswer.safeParse(answer).data?.statusCode ?? 200
        if (status !== expected) throw new Error(`${row.name} answered ${sample} with ${JSON.stringify(answer)}`)
      }
      const event = async () => {
        await forgetTries(client)
        return (await fillSampleEvent(client, row.name, sample)).event
      }
      starts.set(`${row.name} ${kind}`, { ...row, environment, event, check })
    }
  }
  return starts
}

/** Deletes the counts of password attempts and registrations: all samples come from the same address, and would exceed its limits. */
async function forgetTries({ info: { dynamodb_endpoint, tables } }: LocalClient): Promise<void> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const documents = DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint: dynamodb_endpoint, region, credentials }),
  )
  const tries = { FilterExpression: 'begins_with(pk, :pk)', ExpressionAttributeValues: { ':pk': 'GUESSES#' } }
  const { Items = [] } = await documents.send(new ScanCommand({ TableName: tables.accounts, ...tries }))
  for (const { pk, sk } of Items) {
    await documents.send(new DeleteCommand({ TableName: tables.accounts, Key: { pk, sk } }))
  }
  documents.destroy()
}

await main()
