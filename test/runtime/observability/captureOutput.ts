import { jest } from '@jest/globals'

/** Everything that this process prints, on either stream and through any console, until `stop`. Nothing reaches the terminal. */
export function captureOutput(): { lines(): string[]; stop(): void } {
  const chunks: string[] = []
  const keep = (chunk: unknown) =>
    chunks.push(chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : String(chunk)) > 0
  const spies = [
    jest.spyOn(process.stdout, 'write').mockImplementation(keep),
    jest.spyOn(process.stderr, 'write').mockImplementation(keep),
    ...(['debug', 'info', 'log', 'warn', 'error', 'trace', 'dir', 'table'] as const).map((name) =>
      jest.spyOn(console, name).mockImplementation((...parts) => void keep(`${parts.map(String).join(' ')}\n`)),
    ),
  ]
  return {
    lines: () =>
      chunks
        .join('')
        .split('\n')
        .filter((line) => line !== ''),
    stop: () => {
      for (const spy of spies) spy.mockRestore()
    },
  }
}
