import { connect, type Socket } from 'node:net'

interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

interface Answer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const HEAD_END = '\r\n\r\n'

function headOf(bytes: Buffer, end: number): Pick<Answer, 'statusCode' | 'headers'> {
  const [status = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const members = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { statusCode: Number(status.split(' ')[1]), headers: Object.fromEntries(members) }
}

/** Reads one answer, whose length DynamoDB's emulator states. */
function readAnswer(socket: Socket): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let head: Pick<Answer, 'statusCode' | 'headers'> | undefined
    let start = 0
    const onData = (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (head === undefined) {
        const bytes = Buffer.concat(chunks)
        const end = bytes.indexOf(HEAD_END)
        if (end < 0) return
        head = headOf(bytes, end)
        start = end + HEAD_END.length
      }
      const length = Number(head.headers['content-length'] ?? 0)
      const { statusCode, headers } = head
      const body = () => Buffer.concat(chunks).subarray(start)
      if (size >= start + length) settle(() => resolve({ statusCode, headers, body: body() }))
    }
    const onClose = () => settle(() => reject(new Error('DynamoDB closed the connection')))
    function settle(then: () => void) {
      socket.off('data', onData).off('close', onClose)
      then()
    }
    socket.on('data', onData).on('close', onClose)
  })
}

/**
 * Connections to DynamoDB's emulator, kept open. Node's HTTP client takes five times the processor time, which is a third of a call's, and
 * the tests make hundreds of thousands of calls.
 */
export function openDynamoDbConnections({ hostname, port }: URL) {
  const idle: Socket[] = []
  const open = new Set<Socket>()

  function newSocket(): Socket {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    open.add(socket)
    // Whoever reads an answer hears of the close that follows.
    socket.on('error', () => {})
    socket.on('close', () => {
      open.delete(socket)
      const at = idle.indexOf(socket)
      if (at >= 0) idle.splice(at, 1)
    })
    return socket
  }

  return {
    async send({ method, path, headers, body = '' }: Request): Promise<Answer> {
      const socket = idle.pop() ?? newSocket()
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.cork()
      socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
      socket.write(body)
      socket.uncork()
      const answer = await readAnswer(socket)
      idle.push(socket)
      return answer
    },
    close() {
      for (const socket of open) socket.destroy()
    },
  }
}
