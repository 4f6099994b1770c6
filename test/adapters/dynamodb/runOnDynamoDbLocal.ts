import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../infra/listenOnLoopback.ts'

// `node test/adapters/dynamodb/runOnDynamoDbLocal.ts`: runs the tests of the stores on DynamoDB Local instead of the bundled emulator. It is
// the one in the folder `DYNAMODB_LOCAL`, which Java runs, or else Docker's image. If there is neither, says so and exits 0.
const root = join(import.meta.dirname, '..', '..', '..')
const image = 'amazon/dynamodb-local:2.5.3'
const SERVER = 'com.amazonaws.services.dynamodbv2.local.main.ServerRunner'

/** All tests but this: AWS refuses a transaction that names an item twice as invalid; DynamoDB Local cancels it by the item’s condition. */
const PLAYED = '^(?!.*refuses a change with an entry named twice)'

/** The command that runs DynamoDB Local on a port, or why there is none. */
function findServer(port: number): { command: readonly [string, ...string[]] } | { missing: string } {
  const { DYNAMODB_LOCAL: folder } = process.env
  if (folder !== undefined) {
    const jars = [join(folder, '*'), join(folder, 'DynamoDBLocal_lib', '*')].join(
      process.platform === 'win32' ? ';' : ':',
    )
    if (spawnSync('java', ['-version']).status !== 0) return { missing: 'no Java' }
    return { command: ['java', '-cp', jars, SERVER, '-inMemory', '-port', `${port}`] }
  }
  if (spawnSync('docker', ['info']).status !== 0)
    return { missing: 'no DynamoDB Local: no Docker, and DYNAMODB_LOCAL names no folder' }
  return { command: ['docker', 'run', '--rm', '--init', '-p', `127.0.0.1:${port}:8000`, image] }
}

/** The test files that open the stores' own test bed, but for those of the bundled emulator. */
function filesOfStores(): string[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !/(startDynamoDb|dynamodbProxy)(\.deep)?\.test/.test(file))
    .filter((file) => /\b(useDynamoDb|openDocuments)\b/.test(readFileSync(join(root, 'test', file), 'utf8')))
    .map((file) => `test/${file}`)
}

/** Resolves when the server answers. @throws Error after a minute */
async function answers(endpoint: string): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await pause(200)) {
    const isThere = await fetch(endpoint).then(
      () => true,
      () => false,
    )
    if (isThere) return
  }
  throw new Error(`DynamoDB Local does not answer at ${endpoint}`)
}

const port = await freePort()
const found = findServer(port)
if ('missing' in found) process.stdout.write(`not checked: ${found.missing}\n`)
else {
  const [program, ...args] = found.command
  // It writes a file of its own into its folder.
  const server = spawn(program, args, { stdio: 'ignore', cwd: tmpdir() })
  try {
    const endpoint = `http://127.0.0.1:${port}`
    await answers(endpoint)
    const jest = [
      '--experimental-vm-modules',
      'node_modules/jest/bin/jest.js',
      '--runInBand',
      '--testNamePattern',
      PLAYED,
      ...filesOfStores(),
    ]
    process.stdout.write(
      'not checked: a transaction with an item twice, which DynamoDB Local treats in another way than AWS\n',
    )
    const env = { ...process.env, TEST_DYNAMODB_ENDPOINT: endpoint }
    process.exitCode = spawnSync(process.execPath, jest, { cwd: root, stdio: 'inherit', env }).status ?? 1
  } finally {
    server.kill()
  }
}
