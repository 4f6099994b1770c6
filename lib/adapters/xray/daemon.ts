import { createSocket } from 'node:dgram'
import { isIPv4 } from 'node:net'

/** What precedes every document in its datagram. @see https://docs.aws.amazon.com/xray/latest/devguide/xray-api-sendingdata.html#xray-api-daemon */
const HEADER = '{"format": "json", "version": 1}\n'

/** Sends a document. Resolves when the machine has taken it, or did not; never rejects: traces are worth no request. */
export type SendDocument = (document: object) => Promise<void>

/**
 * The daemon at `host:port` or `tcp:host:port udp:host:port`, the host being an IPv4 address, as Lambda's is: a name would have to be looked up
 * while a caller waits. Undefined for anything else.
 * @see https://docs.aws.amazon.com/xray/latest/devguide/xray-sdk-nodejs-configuration.html#xray-sdk-nodejs-configuration-envvars
 */
export function daemonAt(address: string | undefined): SendDocument | undefined {
  const [, host = '', digits] = /(?:^|\s)(?:udp:)?([\d.]+):(\d{1,5})(?:\s|$)/.exec(address ?? '') ?? []
  const port = Number(digits)
  if (!isIPv4(host) || port === 0 || port > 65_535) return undefined
  // It keeps no process alive, and has no error that a call could do anything about.
  const socket = createSocket('udp4')
    .unref()
    .on('error', () => {})
  return (document) =>
    new Promise((resolve) => {
      socket.send(HEADER + JSON.stringify(document), port, host, () => resolve())
    })
}
