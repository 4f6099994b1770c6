import { createSocket } from 'node:dgram'
import { afterAll, describe, expect, it } from '@jest/globals'
import { arrived, useDaemon } from './useDaemon.ts'

const daemon = useDaemon()
const socket = createSocket('udp4')
afterAll(() => {
  socket.close()
})

const HEADER = '{"format": "json", "version": 1}'

// The example of https://docs.aws.amazon.com/xray/latest/devguide/xray-api-segmentdocuments.html
const example = {
  name: 'api.example.com',
  id: '53995c3f42cd8ad8',
  start_time: 1.478293361271e9,
  end_time: 1.478293361449e9,
  type: 'subsegment',
  trace_id: '1-581cf771-a006649127e371903a2de979',
  parent_id: 'defdfd9912dc5a56',
  namespace: 'remote',
  http: {
    request: { url: 'https://api.example.com/health', method: 'POST', traced: true },
    response: { status: 200, content_length: 861 },
  },
}
const { parent_id, ...orphan } = example

async function send(datagram: string) {
  socket.send(datagram, Number(daemon().address.split(':')[1]), '127.0.0.1')
  const { documents, refusals } = await arrived(daemon(), 1)
  return { documents: documents(), refusals: refusals() }
}

describe('The emulator of X-Ray’s daemon', () => {
  it('takes the documented example of a subsegment that is sent by itself', async () => {
    expect(await send(`${HEADER}\n${JSON.stringify(example)}`)).toEqual({ documents: [example], refusals: [] })
  })

  it.each<[string, string, object | string]>([
    ['without a header', '', example],
    ['with another header', '{"format": "json", "version": 2}\n', example],
    ['without a document', `${HEADER}\n`, ''],
    ['that is no JSON', `${HEADER}\n`, '{'],
    ['with a short id', `${HEADER}\n`, { ...example, id: '53995c3f' }],
    ['with a trace of another form', `${HEADER}\n`, { ...example, trace_id: '581cf771a006649127e371903a2de979' }],
    ['without a parent', `${HEADER}\n`, orphan],
    ['that is no subsegment', `${HEADER}\n`, { ...example, type: 'segment' }],
    ['with a member that is not documented', `${HEADER}\n`, { ...example, status: 200 }],
    ['that ends before it starts', `${HEADER}\n`, { ...example, end_time: example.start_time - 1 }],
    ['in milliseconds', `${HEADER}\n`, { ...example, start_time: 1.478293361271e12, end_time: 1.478293361449e12 }],
    ['that has not ended', `${HEADER}\n`, { ...example, end_time: undefined }],
  ])('refuses a document %s', async (_, header, document) => {
    const text = typeof document === 'string' ? document : JSON.stringify(document)
    expect(await send(header + text)).toEqual({ documents: [], refusals: [expect.any(String)] })
  })

  it.each([
    [64_000, []],
    [64_001, ['Error: Larger than 64 kB']],
  ])('takes 64 kB and no more: %s bytes', async (size, refusals) => {
    const withText = (filled: string) => JSON.stringify({ ...example, metadata: { filled } })
    const document = withText('x'.repeat(size - withText('').length))
    expect((await send(`${HEADER}\n${document}`)).refusals).toEqual(refusals)
  })
})
