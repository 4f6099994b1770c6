/** The segment of an invocation, which its calls are parts of. */
export interface Segment {
  readonly traceId: string
  /** Of the segment that Lambda writes for the function. */
  readonly id: string
}

/**
 * The segment that a tracing header names: `Root=1-...;Parent=...;Sampled=1`, with other members in any place. Undefined for an invocation that
 * is not sampled, and for a header of another form: what X-Ray would refuse is not sent.
 * @see https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader
 */
export function sampledSegment(header: string): Segment | undefined {
  const members = new Map(header.split(';').map((member) => [member.split('=', 1)[0], member.split('=')[1]] as const))
  const traceId = members.get('Root') ?? ''
  const id = members.get('Parent') ?? ''
  const isWellFormed = /^1-[0-9a-f]{8}-[0-9a-f]{24}$/.test(traceId) && /^[0-9a-f]{16}$/.test(id)
  return isWellFormed && members.get('Sampled') === '1' ? { traceId, id } : undefined
}
