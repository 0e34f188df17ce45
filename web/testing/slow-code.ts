/** Code that takes a while to load, as a part of a page does over a slow connection. */
await new Promise((resolve) => setTimeout(resolve, 50));

export const callLate = () => fetch('/late');
