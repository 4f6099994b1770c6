/** The headers by which CloudFront in front of the API proves itself and names its viewer; it replaces what a viewer sends under these names. */
export const edgeHeaders = { key: 'x-console-edge-key', viewer: 'x-console-viewer-address' } as const
