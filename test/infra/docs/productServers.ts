import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LocalClient } from '../../../infra/local/localClient.ts'
import { programIn, root } from './quickStarts.ts'

const run = promisify(execFile)
const harness = join(root, 'test', 'clients', 'product-server')

/** A way to the API that keeps what was asked, and may answer in its place. */
export interface ApiRoad {
  readonly url: string
  /** `GET /api/billing/entitlements 304`, in order. */
  readonly asked: string[]
  /** Answered to everything, if it is set. */
  status: number | undefined
  readonly server: Server
}

export async function openApiRoad({ info }: Pick<LocalClient, 'info'>): Promise<ApiRoad> {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { host: _host, connection: _connection, ...headers } = request.headers
    const answer =
      road.status !== undefined
        ? new Response(null, { status: road.status })
        : await fetch(`${info.base_url}${request.url}`, {
            method: request.method ?? 'GET',
            headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
            ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
          })
    asked.push(`${request.method} ${request.url?.split('?')[0]} ${answer.status}`)
    const etag = answer.headers.get('etag')
    response.writeHead(answer.status, { 'content-type': 'application/json', ...(etag !== null && { etag }) })
    response.end(answer.status === 304 ? undefined : await answer.text())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port }: AddressInfo = Object(server.address())
  const road: ApiRoad = { url: `http://127.0.0.1:${port}`, asked, status: undefined, server }
  return road
}

export interface ProductServer {
  /** The status of its page for an organization. */
  visit(organizationId: string): Promise<number>
  close(): Promise<void>
}

/**
 * Starts the guide's program in a product server that asks again at once, not after 30 s.
 * @throws Error if it does not start
 */
export async function startProductServer(
  language: 'js' | 'go',
  local: LocalClient,
  base: string,
): Promise<ProductServer> {
  const folder = await mkdtemp(join(tmpdir(), 'product-server-'))
  await cp(harness, folder, { recursive: true })
  const program = programIn(language, 'Guard your product')
  const again = { js: ['30_000', '0'], go: ['30 * time.Second', '0'] } as const
  const [wait, none] = again[language]
  if (!program.includes(wait)) throw new Error(`The guide's program does not ask again after ${wait}`)
  await writeFile(join(folder, language === 'js' ? 'guide.mjs' : 'guide.go'), program.replace(wait, none))
  if (language === 'js') await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  else await run('go', ['build', '-o', 'server', 'main.go', 'guide.go'], { cwd: folder })
  const [command, args] = language === 'js' ? [process.execPath, ['server.mjs']] : [join(folder, 'server'), []]
  const { service_client_id: CLIENT_ID, service_client_secret: CLIENT_SECRET } = local.info.demo
  const env = { ...process.env, NODE_OPTIONS: '', BASE: base, CLIENT_ID, CLIENT_SECRET }
  const child: ChildProcess = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = await once(child.stdout ?? child, 'data')
  const port = Number(String(printed).trim())
  return {
    async visit(organizationId) {
      const headers = { 'x-organization': organizationId }
      return (await fetch(`http://127.0.0.1:${port}/ota`, { headers })).status
    },
    async close() {
      child.kill()
      await once(child, 'exit')
      await rm(folder, { recursive: true })
    },
  }
}
