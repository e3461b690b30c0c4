/** What sshd forwards: to a loopback port, and to a socket file. */
import { connect, type Socket } from 'node:net';
import type { AcceptConnection, RejectConnection, ServerChannel, SocketRequestInfo, TcpipRequestInfo } from 'ssh2';

/** Forwards a direct-tcpip channel to a loopback port; any other destination is refused. */
export function forwardToLoopback(
  accept: AcceptConnection<ServerChannel>,
  reject: RejectConnection,
  { destIP, destPort }: TcpipRequestInfo,
): void {
  if (!isLoopback(destIP)) {
    reject();
    return;
  }
  join(connect({ host: destIP, port: destPort, noDelay: true }), accept, reject);
}

/** Forwards a direct-streamlocal channel (OpenSSH's) to a socket file of this machine. */
export function forwardToSocketFile(
  accept: AcceptConnection<ServerChannel>,
  reject: RejectConnection,
  { socketPath }: SocketRequestInfo,
): void {
  join(connect(socketPath), accept, reject);
}

function join(socket: Socket, accept: AcceptConnection<ServerChannel>, reject: RejectConnection): void {
  socket.once('error', reject);
  socket.once('connect', () => {
    socket.off('error', reject);
    const channel = accept();
    for (const stream of [socket, channel]) stream.on('error', () => undefined);
    socket.pipe(channel).pipe(socket);
    channel.on('close', () => socket.destroy());
    // An ended socket has closed the channel through the pipe, after its last byte.
    socket.on('close', (hasFailed) => {
      if (hasFailed) channel.close();
    });
  });
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
