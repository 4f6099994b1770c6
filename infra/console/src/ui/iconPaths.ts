/** Every drawing of the console by its name, for a square of 24. */
export const iconPaths = {
  home: 'M4 11.5 12 4l8 7.5V20h-5.5v-5.5h-5V20H4Z',
  box: 'M12 3 4 7v10l8 4 8-4V7l-8-4Zm0 0v0M4 7l8 4 8-4M12 11v10',
  card: 'M3 6.5h18v11H3zM3 10h18M6.5 14.5h4',
  invoice: 'M6 3h9l4 4v14H6zM9 9h4M9 13h6.5M9 17h6.5',
  address: 'M12 21s-7-5.8-7-11a7 7 0 0 1 14 0c0 5.2-7 11-7 11Zm0-8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6 9c0-3.3 2.7-5.5 6-5.5s6 2.2 6 5.5M16 4.5a3.5 3.5 0 0 1 0 6M17.5 14.8c2.1.7 3.5 2.6 3.5 5.2',
  activity: 'M12 7v5l3.5 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7.5 8.5c0-3.6 3.3-6 7.5-6s7.5 2.4 7.5 6',
  switch: 'm8 10 4-4 4 4M8 14l4 4 4-4',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  alert: 'M12 8v5M12 16.5v.2M12 3 2.5 20h19L12 3Z',
  info: 'M12 11v5.5M12 7.5v.2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  close: 'M6 6l12 12M18 6 6 18',
  send: 'M20.5 3.5 3.5 10l6.5 3.5M20.5 3.5 14 20.5 10 13.5M20.5 3.5 10 13.5',
  plus: 'M12 5v14M5 12h14',
  out: 'M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  download: 'M12 4v11M7.5 11 12 15.5 16.5 11M5 20h14',
  menu: 'M4 7h16M4 12h16M4 17h16',
  update: 'M12 16V5M7.5 9.5 12 5l4.5 4.5M5 15v4h14v-4',
  chart: 'M4 19h16M6 16l4-5 3.5 3L19 7',
  bug: 'M9 7a3 3 0 0 1 6 0M7 9h10v5a5 5 0 0 1-10 0V9ZM3.5 12H7M17 12h3.5M4.5 19l2.9-2M19.5 19l-2.9-2M12 9v10',
  terminal: 'm6 9 3.5 3L6 15M12 15.5h6M3 5h18v14H3z',
  globe:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c2.5 2.5 3.8 5.6 3.8 9s-1.3 6.5-3.8 9c-2.5-2.5-3.8-5.6-3.8-9S9.5 5.5 12 3Z',
  lock: 'M5.5 11h13v9.5h-13zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11',
  key: 'M8 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm4.5-4.5H21v4M17 12v3',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  screen: 'M3 5h18v11H3zM9 20h6M12 16v4',
  bank: 'M4 10h16M12 4l8 5H4l8-5ZM6 10v7M10 10v7M14 10v7M18 10v7M4 19.5h16',
} as const

export type IconName = keyof typeof iconPaths
