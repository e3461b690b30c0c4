import { createServer as createSocket } from 'node:net';

/** Whether the port is free there; closed again at once. */
export function canListen(address, port) {
  return new Promise((resolve) => {
    const socket = createSocket();
    socket.once('error', () => resolve(false));
    socket.listen(port, address, () => socket.close(() => resolve(true)));
  });
}
