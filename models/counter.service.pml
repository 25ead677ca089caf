/* A server and its clients, without buffers: a client hands a request over together with the channel on which it waits, and the
 * server answers there. The server waits for requests for ever; to wait is where it may stop, as its label says. */

#define CLIENTS 3

mtype = { add, read };

chan request = [0] of { mtype, byte, chan };
byte total;

active proctype Server() {
	byte amount;
	chan reply;

end:	do
	:: request?add(amount, reply) -> total = total + amount; reply!total
	:: request?read(_, reply) -> reply!total
	od
}

proctype Client(byte amount) {
	chan answer = [0] of { byte };
	byte before, after;

	request!read(0, answer);
	answer?before;
	request!add(amount, answer);
	answer?after;
	/* Others may have added something in between. */
	assert(after >= before + amount)
}

init {
	byte i;

	atomic {
		for (i : 1 .. CLIENTS) {
			run Client(i)
		}
	}
}
