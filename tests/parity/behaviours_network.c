/* SPDX-License-Identifier: MIT */
/* With network=off local sockets work and nothing else can be opened; with host all is as outside.
 */
#include "parity.h"

#define PYTHON(code) "python3 -c '" code "'"
#define TRY(family, type)                                                                          \
	PYTHON("import socket\ntry: socket.socket(" family "," type "); print(\"open\")\n"         \
	       "except OSError as e: print(e.strerror)")

static const struct behaviour network[] = {
	{ "socket-pair",
	  EITHER,
	  PYTHON("import socket; a,b=socket.socketpair(); a.sendall(b\"x\"*9); print(b.recv(99))"),
	  { 0, "b'xxxxxxxxx'\n" } },
	{ "socket-pair-options",
	  EITHER,
	  PYTHON("import socket as s; a,b=s.socketpair(); "
		 "a.setsockopt(s.SOL_SOCKET,s.SO_SNDBUF,9999);"
		 "a.settimeout(1); s.send_fds(a,[b\"m\"],[0]); m,f,_,_=s.recv_fds(b,9,1); "
		 "print(m,len(f))"),
	  { 0, "b'm' 1\n" } },
	{ "local-server",
	  WRITABLE,
	  PYTHON("import socket,os; s=socket.socket(1); s.bind(\"s\"); s.listen();"
		 "c=socket.socket(1); c.connect(\"s\"); a,_=s.accept(); c.send(b\"hi\"); "
		 "print(a.recv(9))"),
	  { 0, "b'hi'\n", "+work/s" } },
	{ "abstract-server",
	  EITHER,
	  PYTHON("import socket,os; n=b\"\\0parity\"+str(os.getpid()).encode(); "
		 "s=socket.socket(1); s.bind(n);"
		 "s.listen(); c=socket.socket(1); c.connect(n); print(s.accept()[0].send(b\"x\"))"),
	  { 0, "1\n" } },
	{ "abstract-server-outside",
	  EITHER,
	  PYTHON("import socket,os\nc=socket.socket(1)\n"
		 "try: c.connect(b\"\\0parity-out\"+os.environ[\"ID\"].encode()); "
		 "print(\"reached\")\n"
		 "except OSError as e: print(e.strerror)"),
	  { 0, "Operation not permitted\n" },
	  .around = "export ID=$$; python3 -c 'import socket,os,subprocess,sys; s=socket.socket(1);"
		    "s.bind(b\"\\0parity-out\"+os.environ[\"ID\"].encode()); s.listen();"
		    "sys.exit(subprocess.call(sys.argv[1:]))' \"$@\"" },
	{ "interfaces",
	  EITHER,
	  PYTHON("import socket; print(\"lo\" in [n for _,n in socket.if_nameindex()])"),
	  { 0, "True\n" } },
	{ "addresses", EITHER, "ip -o link show lo | grep -c lo:", { 0, "1\n" } },
	{ "internet-off", EITHER, TRY("2", "1"), { 0, "Operation not permitted\n" } },
	{ "datagrams-off", EITHER, TRY("2", "2"), { 0, "Operation not permitted\n" } },
	{ "internet-6-off", EITHER, TRY("10", "1"), { 0, "Operation not permitted\n" } },
	{ "packets-off", EITHER, TRY("17", "3"), { 0, "Operation not permitted\n" } },
	{ "machines-off", EITHER, TRY("40", "1"), { 0, "Operation not permitted\n" } },
	{ "kernel-crypto-off", EITHER, TRY("38", "5"), { 0, "Operation not permitted\n" } },
	{ "internet-on",
	  EITHER,
	  PYTHON("import socket; s=socket.create_server((\"127.0.0.1\",0)); "
		 "c=socket.create_connection(s.getsockname()); a,_=s.accept(); c.send(b\"hi\"); "
		 "print(a.recv(9))"),
	  { 0, "b'hi'\n" },
	  .options = "--net host" },
	{ "internet-on-reaches-outside",
	  EITHER,
	  PYTHON("import socket,os; "
		 "c=socket.create_connection((\"127.0.0.1\",int(os.environ[\"PORT\"]))); "
		 "print(c.recv(9))"),
	  { 0, "b'outer'\n" },
	  .options = "--net host",
	  .around =
		  "python3 -c 'import socket,os,subprocess,sys; "
		  "s=socket.create_server((\"127.0.0.1\",0));"
		  "os.environ[\"PORT\"]=str(s.getsockname()[1]); p=subprocess.Popen(sys.argv[1:]);"
		  "s.settimeout(10); s.accept()[0].send(b\"outer\"); sys.exit(p.wait())' \"$@\"" },
	{ "names-are-resolved",
	  EITHER,
	  "getent hosts localhost | grep -c localhost",
	  { 0, "1\n" },
	  .options = "--net host" },
};

GROUP(network);
