import { expect, it } from '@jest/globals'
import { matchesPattern } from '../../../../infra/local/events/matchesPattern.ts'
import { createStreamBatches } from '../../../../infra/local/events/streamBatches.ts'
import type { StreamRecord } from '../../../../infra/local/events/streamReader.ts'
import { streams } from '../../../../infra/manifest.ts'

const record = (number: number, partition = 'ORG#1', sk = 'OUTBOX#1'): StreamRecord => ({
  eventName: 'INSERT',
  dynamodb: { SequenceNumber: `${number}`, Keys: { pk: { S: partition }, sk: { S: sk } } },
})
const numbers = (records: readonly StreamRecord[]) => records.map(({ dynamodb }) => Number(dynamodb.SequenceNumber))
const failing = (...failed: number[]) => ({
  batchItemFailures: failed.map((number) => ({ itemIdentifier: `${number}` })),
})

/** Plays records to a function that answers each batch by `answer`, and waits until all are done. */
async function play(records: StreamRecord[], answer: (batch: number[], call: number) => unknown) {
  const batches: number[][] = []
  const given: number[] = []
  const played = createStreamBatches({
    async run(batch) {
      batches.push(numbers(batch))
      return answer(numbers(batch), batches.length)
    },
    gaveUp: (batch) => given.push(...numbers(batch)),
    pause: 1,
  })
  played.add(records)
  for (let waits = 0; played.count() > 0 && waits < 2000; waits += 1) await new Promise((done) => setTimeout(done, 1))
  expect(played.count()).toBe(0)
  await played.close()
  return { batches, given }
}

it('A function gets at most 100 records of the stream at a time, those of a partition in order', async () => {
  const records = Array.from({ length: 250 }, (_, number) => record(number))
  const { batches } = await play(records, () => failing())
  expect(batches.map(({ length }) => length)).toEqual([100, 100, 50])
  expect(batches.flat()).toEqual(numbers(records))
})

it('A slow partition does not hold the records of others', async () => {
  let free = () => {}
  const held = new Promise<void>((resolve) => {
    free = resolve
  })
  const { batches } = await play([record(1, 'a'), record(2, 'a'), record(3, 'b')], async (batch) => {
    if (batch.includes(1)) await held
    else free()
    return failing()
  })
  expect(batches).toHaveLength(2)
})

it('A batch begins again at the first record that the function reports as failed', async () => {
  const { batches, given } = await play(
    [1, 2, 3, 4].map((number) => record(number)),
    (_, call) => (call === 1 ? failing(4, 2) : failing()),
  )
  expect(batches).toEqual([
    [1, 2, 3, 4],
    [2, 3, 4],
  ])
  expect(given).toEqual([])
})

it('A batch that fails as a whole is halved, so a single bad record is given up after six tries', async () => {
  const { batches, given } = await play(
    [1, 2, 3, 4].map((number) => record(number)),
    (batch) => {
      if (batch.includes(3)) throw new Error('refused')
      return failing()
    },
  )
  expect(given).toEqual([3])
  expect(batches.filter((batch) => batch.length === 1 && batch[0] === 3)).toHaveLength(6)
  expect(batches.filter((batch) => batch.includes(3)).length).toBe(8)
  const done = batches.filter((batch) => !batch.includes(3)).flat()
  expect(done.sort()).toEqual([1, 2, 4])
})

it.each([
  ['outbox', record(1), true],
  ['outbox', record(1, 'ORG#1', 'SEQUENCE'), false],
  ['outbox', { ...record(1), eventName: 'MODIFY' as const }, false],
  ['deliveries', delivery('pending', '0'), true],
  ['deliveries', delivery('pending', '1'), false],
  ['deliveries', delivery('delivered', '0'), false],
  ['deliveries', record(1, 'ENDPOINT#1', 'DELIVERY#1'), false],
] as const)('The pattern of the stream %s takes a record or leaves it (%#)', (name, given, expected) => {
  expect(matchesPattern(streams[name], given)).toBe(expected)
})

function delivery(status: string, attempts: string): StreamRecord {
  const { dynamodb, ...rest } = record(1, 'ENDPOINT#1', 'DELIVERY#1')
  return { ...rest, dynamodb: { ...dynamodb, NewImage: { status: { S: status }, attempts: { N: attempts } } } }
}
